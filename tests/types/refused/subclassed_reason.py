"""A leaf is final: there is no other kind of turn."""

from gapless.typings import states


class LongTurn(states.LeadTurn, frozen=True):  # refused: misc, reportGeneralTypeIssues
    since_ms: int = 0


state = states.Working(first=states.LeadTurn())
