"""Whoever matches supervision hears of an alarm that grew."""

from typing import assert_never

from gapless.typings import supervision


def rung(verdict: supervision.Supervision) -> int:
    match verdict:
        case supervision.Fine() | supervision.Suspected():
            return 0
        case _:
            assert_never(verdict)  # refused: arg-type, reportArgumentType


rung(supervision.Fine())
