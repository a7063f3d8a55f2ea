"""What makes a session work cannot be left running behind one that is done."""

from gapless.typings import states

outcome = states.Completed()
left = states.RunningShells()
state = states.Done(outcome=outcome, lingering=(left,))
