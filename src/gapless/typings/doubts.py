"""What we do not know, and why: a doubt never authorises anything."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.ids import OwnerName, TaskId


@final
class SilentSource(StrEnum):
    """A source of evidence that has not spoken, or not for too long."""

    LEAD = "lead"
    CHILD = "child"
    CONTINUATION = "continuation"
    HARNESS = "harness"


@final
class AlreadyAsking(Struct, frozen=True, kw_only=True, gc=False, tag="already-asking"):
    """Another close question is open; its gate belongs to it alone."""


@final
class TurnStillRunning(Struct, frozen=True, kw_only=True, gc=False, tag="turn-still-running"):
    """The drain budget of a close question ran out before the lead's turn ended."""


@final
class PartLost(Struct, frozen=True, kw_only=True, gc=False, tag="part-lost"):
    """A contributor did not answer its part of a close question."""

    contributor: str


@final
class FactLost(Struct, frozen=True, kw_only=True, gc=False, tag="fact-lost"):
    """An owner lost an input; nothing it owns may fall until it has resent its whole state."""

    owner: OwnerName


@final
class InputVoid(Struct, frozen=True, kw_only=True, gc=False, tag="input-void"):
    """Gapless failed on an event of the harness, and what it told was not told anew.

    Of the lead's turn the next beginning or end of one tells; of tasks, a whole list of them.
    """


@final
class Unconfirmed(Struct, frozen=True, kw_only=True, gc=False, tag="unconfirmed"):
    """Known only from facts of before a restart."""


@final
class SourceSilent(Struct, frozen=True, kw_only=True, gc=False, tag="source-silent"):
    """A source was never heard, or its lease ran out; ``subject`` says of what."""

    source: SilentSource
    subject: str = ""


@final
class OwnerGone(Struct, frozen=True, kw_only=True, gc=False, tag="owner-gone"):
    """The pane or process is gone; what it ran may live on unseen."""

    subject: str = ""


@final
class UnknownTask(Struct, frozen=True, kw_only=True, gc=False, tag="unknown-task"):
    """The harness lists a task of a type nobody knows; ``word`` is that type."""

    task: TaskId
    word: str


Doubt: TypeAlias = (
    AlreadyAsking
    | TurnStillRunning
    | PartLost
    | FactLost
    | InputVoid
    | Unconfirmed
    | SourceSilent
    | OwnerGone
    | UnknownTask
)
"""The sealed set of doubts."""
