"""Whoever matches the reasons for work hears of an owed continuation."""

from typing import assert_never

from gapless.typings import states


def word(reason: states.WorkReason) -> str:
    match reason:
        case states.LeadTurn():
            return "lead"
        case states.ChildrenAtWork():
            return "children"
        case states.CronsArmed():
            return "crons"
        case _:
            assert_never(reason)  # refused: arg-type, reportArgumentType


word(states.LeadTurn())
