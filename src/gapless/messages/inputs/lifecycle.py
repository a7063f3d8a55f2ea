"""A conversation begins, is replaced, ends; the pane goes; a restart remembers."""

from __future__ import annotations

from enum import StrEnum
from typing import final

from msgspec import Struct

from gapless.messages.inputs.attribution import FromHarness, FromHost
from gapless.typings.ids import OwnerName, TaskId
from gapless.typings.phases import TaskKind
from gapless.typings.states import EndCause


@final
class Boundary(StrEnum):
    """How a conversation began."""

    STARTUP = "startup"
    RESUME = "resume"
    CLEAR = "clear"
    FORK = "fork"
    COMPACT = "compact"


@final
class ConversationStarted(FromHarness, frozen=True, kw_only=True, tag="conversation-started"):
    """The harness began a conversation: an idle boundary, except ``COMPACT``.

    ``idle`` is false for a harness that says nothing of its lead at this point.
    """

    how: Boundary
    idle: bool = True


@final
class ConversationEnded(FromHarness, frozen=True, kw_only=True, tag="conversation-ended"):
    """The harness or its process is gone for good."""

    cause: EndCause = EndCause.HARNESS


@final
class PaneCleared(FromHost, frozen=True, kw_only=True, tag="pane-cleared"):
    """The pane is gone: nothing more is known until something new is seen."""


@final
class RestoredTask(Struct, frozen=True, kw_only=True, gc=False):
    """A task that ran before the restart."""

    task: TaskId
    kind: TaskKind = TaskKind.AGENT


@final
class TasksRestored(FromHost, frozen=True, kw_only=True, tag="tasks-restored"):
    """What ran before a restart; unconfirmed until something live confirms or removes it."""

    tasks: tuple[RestoredTask, ...]


@final
class TimerFired(FromHost, frozen=True, kw_only=True, tag="timer-fired"):
    """The session's alarm rang. It carries no verdict: owners look at the clock again.

    ``due_ms`` is the session time it was set for.
    """

    due_ms: int


@final
class ResyncAsked(FromHost, frozen=True, kw_only=True, tag="resync-asked"):
    """The owner that lost an input is to send its whole state again."""

    owner: OwnerName
