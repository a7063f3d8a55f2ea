"""Whoever matches an outcome says what they do where it failed."""

from typing import assert_never

from gapless.messages import recorded
from gapless.typings import outcome


def readable(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> bool:
    match row:
        case outcome.Success():
            return True
        case outcome.Failure():
            return False
        case _:
            assert_never(row)


readable(recorded.decode_row(b"{}"))
