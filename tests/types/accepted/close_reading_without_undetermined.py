"""Whoever matches a close reading says what they do where it is undetermined."""

from typing import assert_never

from gapless.typings import close


def colour(reading: close.CloseReading) -> str:
    match reading:
        case close.Closable():
            return "green"
        case close.Held():
            return "red"
        case close.Undetermined():
            return "grey"
        case _:
            assert_never(reading)


colour(close.Closable())
