"""A running shell is no reason to call a session working, through a variable."""

from gapless.typings import states

reason = states.LeadTurn()
state = states.Working(first=reason)
