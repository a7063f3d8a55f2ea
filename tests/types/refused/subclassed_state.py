"""A leaf is final: there is no other way of working."""

from gapless.typings import states


class Compacting(states.Working, frozen=True):  # refused: misc, reportGeneralTypeIssues
    progress: int = 0


state: states.SessionState = states.Working(first=states.LeadTurn())
