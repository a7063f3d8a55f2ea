"""A watching monitor is no reason to call a session working, through a variable."""

from gapless.typings import states

reason = states.CronsArmed()
state = states.Working(first=reason)
