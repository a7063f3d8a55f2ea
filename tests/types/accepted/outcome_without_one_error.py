"""Whoever matches what went wrong hears of every way it could."""

from typing import assert_never

from gapless.messages import recorded
from gapless.typings import outcome


def told(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> str:
    match row:
        case outcome.Success():
            return "read"
        case outcome.Failure(error):
            match error:
                case recorded.Malformed(reason=reason):
                    return reason
                case recorded.TooLarge(size=size):
                    return str(size)
                case _:
                    assert_never(error)
        case _:
            assert_never(row)


told(recorded.decode_row(b"{}"))
