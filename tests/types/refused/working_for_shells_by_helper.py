"""A running shell is no reason to call a session working, through what a helper returns."""

from gapless.typings import states


def reason() -> states.RunningShells:
    return states.RunningShells()


state = states.Working(first=reason())  # refused: arg-type, reportArgumentType
