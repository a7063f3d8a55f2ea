"""One immutable value that answers everything about a session at one version."""

from __future__ import annotations

from typing import final

from msgspec import Struct

from gapless.typings.asks import Ask
from gapless.typings.close import CloseReading
from gapless.typings.holds import Hold
from gapless.typings.ids import NO_INPUT, InputNumber, TaskKey
from gapless.typings.lead import LeadTurnState
from gapless.typings.phases import NotificationPhase, TaskKind, TaskPhase
from gapless.typings.states import SessionState
from gapless.typings.supervision import Supervision


@final
class TaskView(Struct, frozen=True, kw_only=True, gc=False):
    """One task beside the lead: its phase, its notification's (``None``: unseen), its name.

    ``confirmed`` is false while only restored facts vouch for it, ``silent``
    true once its lease without a sign of life has run out.
    """

    key: TaskKey
    kind: TaskKind
    phase: TaskPhase
    notification: NotificationPhase | None = None
    confirmed: bool = True
    silent: bool = False


@final
class SessionView(Struct, frozen=True, kw_only=True):
    """What a session is doing, whether it may be closed, whether it is stuck.

    ``upto`` is its version: the number of the last input it is the fold of.
    ``at_ms`` and ``next_wake_ms`` are session time; ``next_wake_ms`` is when the
    session wants its alarm, ``None`` when it waits for nothing that can expire. Session time
    runs with the host's clock but for jumps: ring ``next_wake_ms - at_ms`` after the last input.
    ``next_cron_ms`` is when the earliest armed schedule is due, in epoch ms of the wall clock.
    ``hooks_live``: an event of the harness came as it happened, so its hooks are installed and run.
    """

    state: SessionState
    lead: LeadTurnState
    holds: tuple[Hold, ...]
    close: CloseReading
    supervision: Supervision
    confirmed: bool
    asks: tuple[Ask, ...]
    children: tuple[TaskView, ...]
    shells: tuple[TaskView, ...]
    next_wake_ms: int | None
    next_cron_ms: int | None = None
    hooks_live: bool = False
    upto: InputNumber = NO_INPUT
    at_ms: int = 0
