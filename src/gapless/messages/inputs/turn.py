"""The lead's turn and the calls made in it."""

from __future__ import annotations

from typing import TypeAlias, final

from gapless.messages.inputs.attribution import FromAgent, FromHarness, FromHost
from gapless.messages.inputs.inventory import Inventory
from gapless.typings.ids import CallDigest, CallId, PromptId, TaskId
from gapless.typings.states import Completed, Failed, Interrupted


@final
class PromptSubmitted(FromHarness, frozen=True, kw_only=True, tag="prompt-submitted"):
    """A prompt entered a turn of the lead.

    ``typed`` says that a person typed it; a prompt the harness injected
    releases no ask. ``delivers`` names the tasks whose terminal notification it carries.
    """

    prompt: PromptId | None = None
    typed: bool = True
    delivers: tuple[TaskId, ...] = ()


@final
class CallStarted(FromAgent, frozen=True, kw_only=True, tag="call-started"):
    """An agent began a tool call; ``shell`` says that it runs a command, so may start a CLI."""

    call: CallId
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
class TurnInterrupted(FromHost, frozen=True, kw_only=True, tag="turn-interrupted"):
    """The host saw a person interrupt; it counts only while there is something to interrupt."""
