"""Terminal notifications on their way to the lead."""

from __future__ import annotations

from typing import final

from gapless.messages.inputs.attribution import FromHarness, FromHost
from gapless.typings.ids import TaskId, TaskKey


@final
class ContinuationTaken(FromHost, frozen=True, kw_only=True, tag="continuation-taken"):
    """The host runs the continuation that carries these; one carries all it names."""

    keys: tuple[TaskKey, ...]


@final
class NotificationSettled(FromHost, frozen=True, kw_only=True, tag="notification-settled"):
    """The host delivered this one itself."""

    key: TaskKey


@final
class NotificationDiscarded(FromHost, frozen=True, kw_only=True, tag="notification-discarded"):
    """The host will not deliver this one; ``cause`` is its own word for why."""

    key: TaskKey
    cause: str = ""


@final
class NotificationDelivered(FromHarness, frozen=True, kw_only=True, tag="notification-delivered"):
    """The harness put the terminal notifications of these tasks into a running turn."""

    tasks: tuple[TaskId, ...]
