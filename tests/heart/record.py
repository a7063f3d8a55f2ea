"""What the host knows by its own record: the rows that were looked at, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gapless.messages.inputs import (
    Boundary,
    CloseUsed,
    ContinuationTaken,
    ConversationStarted,
    NotificationDiscarded,
    NotificationSettled,
    PromptSubmitted,
    ShellExited,
    SpawnAsked,
    TaskFinished,
    TaskStarted,
    TurnEnded,
    TurnInterrupted,
)
from gapless.messages.recorded import Recorded
from gapless.typings.ids import ManagedId
from gapless.typings.phases import HowSettled


def settled_by(
    heard: Sequence[Recorded], heeded: Collection[Recorded], shell: ManagedId
) -> HowSettled | None:
    """Return what settled the notification of a shell first; ``None``: it is owed.

    What the host settles itself counts once it was heard, all else if it changed anything. It
    counts from its row on; what was torn need not have settled anything by then.
    """
    carried = ended = False
    for row in heard:
        match row.what:
            case NotificationSettled(key=key) if key == shell:
                return HowSettled.BY_HOST
            case NotificationDiscarded(key=key) if key == shell:
                return HowSettled.DISCARDED
            case _ if row not in heeded:
                pass
            case ShellExited(shell=gone):
                ended = ended or gone == shell
            case ContinuationTaken(keys=keys):
                carried = carried or shell in keys
            case TurnEnded() | TurnInterrupted() if carried:
                return HowSettled.DELIVERED
            case ConversationStarted(how=how) if how is not Boundary.COMPACT and ended:
                return HowSettled.NEW_EPOCH  # what ends later is owed to the new conversation
            case _:
                pass
    return None


def outdated(rows: Sequence[Recorded]) -> bool:
    """Whether the last row uses a permit that is older than something to lose."""
    used = rows[-1].what
    return isinstance(used, CloseUsed) and any(
        isinstance(it.what, PromptSubmitted | SpawnAsked | ContinuationTaken)
        for it in rows
        if it.number > used.as_of
    )


def of_a_child(row: Recorded) -> bool:
    """Whether an input is about a child alone."""
    return isinstance(row.what, TaskStarted | TaskFinished)
