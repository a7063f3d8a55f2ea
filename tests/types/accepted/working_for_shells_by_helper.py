"""A running shell is no reason to call a session working, through what a helper returns."""

from gapless.typings import states


def reason() -> states.WorkReason:
    return states.LeadTurn()


state = states.Working(first=reason())
