"""A running shell is no reason to call a session working, through a variable."""

from gapless.typings import states

reason = states.RunningShells()
state = states.Working(first=reason)  # refused: arg-type, reportArgumentType
