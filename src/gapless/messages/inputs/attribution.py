"""Whose event an input is."""

from __future__ import annotations

from msgspec import Struct

from gapless.typings.ids import HarnessSessionId, TaskId
from gapless.typings.processes import ProcessIdentity


class FromHarness(Struct, frozen=True, kw_only=True, tag_field="input"):
    """Carry the conversation, and the process where it is known, an event came from.

    ``None`` is "it did not say", never "the current one".
    """

    conversation: HarnessSessionId | None = None
    process: ProcessIdentity | None = None


class FromAgent(FromHarness, frozen=True, kw_only=True):
    """Carry the agent an event came from: ``agent`` is a child, ``None`` the lead.

    ``typed`` says that the event named the child's type. A child without a
    type that was never seen to start is no child (an internal fork).
    """

    agent: TaskId | None = None
    typed: bool = True


class FromHost(Struct, frozen=True, kw_only=True, tag_field="input"):
    """What the host, the runtime or the session itself knows or decides."""
