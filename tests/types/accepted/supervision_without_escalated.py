"""Whoever matches supervision hears of an alarm that grew."""

from typing import assert_never

from gapless.typings import supervision


def rung(verdict: supervision.Supervision) -> int:
    match verdict:
        case supervision.Fine() | supervision.Suspected():
            return 0
        case supervision.Escalated(rung=rung):
            return rung
        case _:
            assert_never(verdict)


rung(supervision.Fine())
