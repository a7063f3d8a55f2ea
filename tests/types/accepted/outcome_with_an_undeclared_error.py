"""An outcome fails in no other way than it declares."""

from gapless.typings import close, states
from gapless.typings.outcome import Failure, Outcome


def shut(refusal: close.CloseRefusal) -> Outcome[states.Ended, close.CloseRefusal]:
    return Failure(refusal)


shut(close.ForgedPermit())
