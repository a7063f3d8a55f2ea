"""A turn that ended was interrupted, failed or completed; a boundary ends none."""

from gapless.messages import inputs
from gapless.typings import states

ended = inputs.TurnEnded(outcome=states.Completed())
