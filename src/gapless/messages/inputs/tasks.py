"""What a harness runs beside its lead: children, teammates, workflows, shells, monitors."""

from __future__ import annotations

from enum import StrEnum
from typing import final

from gapless.messages.inputs.attribution import FromHarness
from gapless.typings.ids import CallId, TaskId
from gapless.typings.phases import HowEnded, TaskKind


@final
class Launch(StrEnum):
    """How a task was launched, which decides whether its end owes the lead a notification."""

    UNSEEN = "unseen"
    FOREGROUND = "foreground"
    BACKGROUND = "background"
    DETACHED = "detached"
    """Beside the lead, in a harness that never wakes the lead for it."""


@final
class TaskStarted(FromHarness, frozen=True, kw_only=True, tag="task-started"):
    """A task runs.

    ``call`` is the call that launched it, where the launch was seen.
    ``teammate`` is the name of a child that parks instead of ending.
    """

    task: TaskId
    kind: TaskKind
    launch: Launch = Launch.UNSEEN
    call: CallId | None = None
    teammate: str | None = None


@final
class TaskSeen(FromHarness, frozen=True, kw_only=True, tag="task-seen"):
    """A sign of life of a child."""

    task: TaskId
    typed: bool = True


@final
class TaskFinished(FromHarness, frozen=True, kw_only=True, tag="task-finished"):
    """A task is over. ``kind`` is ``None`` where the harness names only the id."""

    task: TaskId
    kind: TaskKind | None = None
    how: HowEnded = HowEnded.COMPLETED
    typed: bool = True


@final
class AgentsKilled(FromHarness, frozen=True, kw_only=True, tag="agents-killed"):
    """A person killed all background agents; nobody is told of their ends."""


@final
class TeammateParked(FromHarness, frozen=True, kw_only=True, tag="teammate-parked"):
    """A teammate is idle until it gets mail; it is known by its name alone."""

    teammate: str
