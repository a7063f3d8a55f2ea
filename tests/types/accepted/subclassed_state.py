"""A leaf is final: there is no other way of working."""

from gapless.typings import states


class Compacting:
    progress: int = 0


state: states.SessionState = states.Working(first=states.LeadTurn())
