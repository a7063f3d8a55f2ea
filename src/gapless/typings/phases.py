"""The phases of the ledger: chains that only ever go up.

A task is ``Starting ⊑ Running ⊑ Ended``, its notification ``(unseen) ⊑ Queued ⊑
Active ⊑ Settled``. Facts about them may come late, twice or in any order; the
higher phase wins, so none of that changes the result.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias, final

from msgspec import Struct

from gapless.typings.evidence import Evidence


@final
class TaskKind(StrEnum):
    """What runs beside the lead."""

    SHELL = "shell"
    MONITOR = "monitor"
    AGENT = "agent"
    TEAMMATE = "teammate"
    WORKFLOW = "workflow"
    UNKNOWN = "unknown"


REGISTRY_KINDS: Final = frozenset({TaskKind.SHELL, TaskKind.MONITOR})
"""The kinds the shell registry owns."""

ROSTER_KINDS: Final = frozenset(TaskKind) - REGISTRY_KINDS
"""The kinds the child roster owns: all others."""


@final
class HowEnded(StrEnum):
    """How a task ended, as far as anybody said."""

    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    RETURNED = "returned"
    PARKED = "parked"
    VANISHED = "vanished"
    LOST = "lost"
    NEVER_STARTED = "never-started"
    VOID = "void"


@final
class HowSettled(StrEnum):
    """How a notification came to rest: delivered, or voided with this cause."""

    DELIVERED = "delivered"
    BY_HOST = "by-host"
    DISCARDED = "discarded"
    LAPSED = "lapsed"
    NEW_EPOCH = "new-epoch"
    SESSION_ENDED = "session-ended"
    PANE_CLEARED = "pane-cleared"


@final
class Starting(Struct, frozen=True, kw_only=True, gc=False, tag="starting"):
    """Asked for and not yet seen to run; it holds from here on."""

    by: Evidence


@final
class Running(Struct, frozen=True, kw_only=True, gc=False, tag="running"):
    """Seen to run."""

    by: Evidence


@final
class TaskEnded(Struct, frozen=True, kw_only=True, gc=False, tag="ended"):
    """Over; ``owes`` says that a notification must be settled before it is forgotten."""

    by: Evidence
    owes: bool
    how: HowEnded


TaskPhase: TypeAlias = Starting | Running | TaskEnded


@final
class Queued(Struct, frozen=True, kw_only=True, gc=False, tag="queued"):
    """Waits for a turn; ``idle_ms`` is the lead's idle clock when it was queued.

    ``overdue``: its lease ran out, so it no longer makes the session work; it still holds.
    """

    by: Evidence
    idle_ms: int
    overdue: bool = False


@final
class Active(Struct, frozen=True, kw_only=True, gc=False, tag="active"):
    """A turn carries it; ``idle_ms`` is the session's quiet clock when that turn took it.

    ``overdue``: that turn is long over and nobody settled it; a lost continuation.
    """

    by: Evidence
    idle_ms: int
    overdue: bool = False


@final
class Settled(Struct, frozen=True, kw_only=True, gc=False, tag="settled"):
    """Delivered, or voided with a cause."""

    by: Evidence
    how: HowSettled


NotificationPhase: TypeAlias = Queued | Active | Settled
