"""Whoever matches an outcome says what they do where it failed."""

from typing import assert_never

from gapless.messages import recorded
from gapless.typings import outcome


def readable(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> bool:
    match row:
        case outcome.Success():
            return True
        case _:
            assert_never(row)  # refused: arg-type, reportArgumentType


readable(recorded.decode_row(b"{}"))
