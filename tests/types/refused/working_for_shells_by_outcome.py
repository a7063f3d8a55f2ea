"""A running shell is no reason to call a session working, through an Outcome."""

from gapless.typings import doubts, states
from gapless.typings.outcome import Outcome, Success
from gapless.typings.states import Working


def state() -> Outcome[Working, doubts.Doubt]:
    return Success(Working(first=states.RunningShells()))  # refused: arg-type, reportArgumentType


state()
