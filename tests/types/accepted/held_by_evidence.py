"""Evidence is what a hold rests on, and no hold."""

from gapless.typings import close, evidence, holds


def hold(by: evidence.Evidence, rests_on_it: holds.Hold) -> close.CloseReading:
    return close.Held(first=rests_on_it)
