"""Whoever matches the lead's turn says what they do before it was ever heard."""

from typing import assert_never

from gapless.typings import lead


def idle(turn: lead.LeadTurnState) -> bool:
    match turn:
        case lead.TurnOpen():
            return False
        case lead.TurnClosed():
            return True
        case lead.NeverSeen():
            return False
        case _:
            assert_never(turn)


idle(lead.NeverSeen())
