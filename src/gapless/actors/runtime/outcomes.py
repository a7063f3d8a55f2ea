"""What sending can come to: closed outcomes, which hand the message back when it was not taken."""

from __future__ import annotations

from typing import Final, Generic, TypeAlias, TypeVar, final

from msgspec import Struct

from gapless.typings.outcome import Outcome, Success

Message = TypeVar("Message")


@final
class MailboxFull(Struct, Generic[Message], frozen=True, kw_only=True):
    """Too many messages wait. Try again later, or do without."""

    message: Message


@final
class ActorGone(Struct, Generic[Message], frozen=True, kw_only=True):
    """The actor has stopped, and takes nothing more."""

    message: Message


Undelivered: TypeAlias = MailboxFull[Message] | ActorGone[Message]
Told: TypeAlias = Outcome[None, Undelivered[Message]]
"""What ``tell`` came to. Taken is not handled: that the actor says itself, if it says it."""

TAKEN: Final[Success[None]] = Success(None)
"""The message is in the mailbox; one value for all of them."""


@final
class TimedOut(Struct, frozen=True, kw_only=True, tag="timed-out"):
    """No answer within the deadline. A late one falls to the floor."""

    seconds: float


@final
class Faulted(Struct, frozen=True, kw_only=True, tag="faulted"):
    """The handler raised; ``error`` says what, for a person to read."""

    error: str


@final
class Cyclic(Struct, frozen=True, kw_only=True, tag="cyclic"):
    """The asker would wait, directly or through others, for itself: ``actors`` in order."""

    actors: tuple[str, ...]


@final
class WouldBlock(Struct, frozen=True, kw_only=True, tag="would-block"):
    """Waiting here would block the only thread that could bring the answer."""

    reason: str


@final
class AskGone(Struct, frozen=True, kw_only=True, tag="gone"):
    """The actor had stopped, or stopped before it came to the query."""


AskFailure: TypeAlias = TimedOut | Faulted | Cyclic | WouldBlock | AskGone
"""Why an ask has no answer."""
