"""Whoever matches why there is no answer hears of cycles."""

from typing import assert_never

from gapless.actors import runtime


def blame(failure: runtime.AskFailure) -> str:
    match failure:
        case runtime.TimedOut() | runtime.AskGone():
            return "the other"
        case runtime.Faulted(error=error):
            return error
        case runtime.WouldBlock(reason=reason):
            return reason
        case runtime.Cyclic(actors=actors):
            return " and ".join(actors)
        case _:
            assert_never(failure)


blame(runtime.AskGone())
