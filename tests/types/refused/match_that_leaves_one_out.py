"""A match that leaves a variant out is refused without assert_never as well."""

from gapless.typings import close


def show(reading: close.CloseReading) -> None:
    match reading:  # refused: exhaustive-match, reportMatchNotExhaustive
        case close.Closable():
            print("closable")
        case close.Held():
            print("held")


show(close.Closable())
