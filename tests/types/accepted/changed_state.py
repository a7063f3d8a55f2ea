"""A state does not change: another one is published."""

from gapless.typings import states

state = states.Done(outcome=states.Completed())
state = states.Done(outcome=states.Interrupted())
