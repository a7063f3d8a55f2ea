"""A running shell is no reason to call a session working, written in place."""

from gapless.typings import states

state = states.Working(first=states.LeadTurn())
