"""A leaf is final: there is no other kind of turn."""

from gapless.typings import states


class LongTurn:
    since_ms: int = 0


state = states.Working(first=states.LeadTurn())
