"""The lead's turn and the calls made in it."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, final

from gapless.messages.inputs.attribution import FromAgent, FromHarness, FromHost
from gapless.messages.inputs.inventory import Inventory
from gapless.typings.ids import CallDigest, CallId, PromptId, TaskId
from gapless.typings.states import Completed, Failed, Interrupted


@final
class PromptSubmitted(FromHarness, frozen=True, kw_only=True, tag="prompt-submitted"):
    """A prompt entered a turn of the lead.

    ``typed`` says that a person typed it; a prompt the harness injected
    releases no ask. ``delivers`` names the tasks whose terminal notification it carries. ``body``
    is a digest of all the event said, where no id tells it from a repeat.
    """

    prompt: PromptId | None = None
    body: CallDigest | None = None
    typed: bool = True
    delivers: tuple[TaskId, ...] = ()


@final
class CallStarted(FromAgent, frozen=True, kw_only=True, tag="call-started"):
    """An agent began a tool call; ``shell`` says that it runs a command, so may start a CLI.

    ``prompt`` is the prompt whose turn it is made in, where the harness tells.
    """

    call: CallId
    prompt: PromptId | None = None
    tool: str = ""
    digest: CallDigest | None = None
    shell: bool = False


@final
class CallEnded(FromAgent, frozen=True, kw_only=True, tag="call-ended"):
    """A tool call is over, well or not."""

    call: CallId | None = None
    tool: str = ""
    digest: CallDigest | None = None


TurnEnding: TypeAlias = Completed | Interrupted | Failed


@final
class TurnEnded(FromHarness, frozen=True, kw_only=True, tag="turn-ended"):
    """The harness says the lead's turn is over; ``inventory`` is what it listed with that."""

    outcome: TurnEnding
    prompt: PromptId | None = None
    inventory: Inventory | None = None


@final
class TurnEndLogged(FromHarness, frozen=True, kw_only=True, tag="turn-end-logged"):
    """The harness's own log says that the lead's turn is over, perhaps before its hooks do.

    A log names no turn, unless ``prompt`` does: it may be the one before. ``agents`` is how many
    background agents it says are left, ``None`` where it says nothing of them.
    """

    outcome: TurnEnding
    prompt: PromptId | None = None
    agents: int | None = None


@final
class StatusWord(StrEnum):
    """What a harness's status file says of it."""

    IDLE = "idle"
    BUSY = "busy"
    WAITING = "waiting"
    SHELL = "shell"
    """The turn is over, and a background shell or monitor runs."""
    UNKNOWN = "unknown"
    """A word nobody knows."""


@final
class StatusRead(FromHarness, frozen=True, kw_only=True, tag="status-read"):
    """The status file of the session's process was read, or read again.

    It is about a process, so it names no conversation. ``changed_ms`` is the harness's own stamp
    of the word, wall-clock epoch ms: what has the same or an older one is no news.
    """

    word: StatusWord
    changed_ms: int | None = None


@final
class TurnInterrupted(FromHost, frozen=True, kw_only=True, tag="turn-interrupted"):
    """The host saw a person interrupt; it counts only while there is something to interrupt."""
