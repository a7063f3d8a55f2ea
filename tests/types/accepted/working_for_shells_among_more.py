"""A running shell is no reason to call a session working, behind a good reason either."""

from gapless.typings import states

turn = states.LeadTurn()
other = states.ContinuationOwed()
state = states.Working(first=turn, more=(other,))
