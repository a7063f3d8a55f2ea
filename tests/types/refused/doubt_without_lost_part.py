"""Whoever matches doubts hears of a part that was lost."""

from typing import assert_never

from gapless.typings import doubts


def passes(doubt: doubts.Doubt) -> bool:
    match doubt:
        case doubts.AlreadyAsking() | doubts.TurnStillRunning():
            return True
        case doubts.FactLost() | doubts.Unconfirmed() | doubts.SourceSilent():
            return True
        case doubts.OwnerGone() | doubts.UnknownTask() | doubts.InputVoid():
            return False
        case _:
            assert_never(doubt)  # refused: arg-type, reportArgumentType


passes(doubts.Unconfirmed())
