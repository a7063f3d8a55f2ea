"""Where to send: a typed face on a mailbox, and the only thing an actor is known by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, Generic, Never, TypeVar, cast, final

from pykka import Timeout

from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.outcomes import (
    TAKEN,
    ActorGone,
    AskFailure,
    AskGone,
    Cyclic,
    Faulted,
    MailboxFull,
    TimedOut,
    Told,
    WouldBlock,
)
from gapless.actors.runtime.queries import Asked
from gapless.actors.runtime.seams import Envelope
from gapless.actors.runtime.waiting import AskCycleError, BlockedDispatcherError
from gapless.typings.outcome import Failure, Outcome, Success

CommandsT_contra = TypeVar("CommandsT_contra", contravariant=True)
QueriesT_contra = TypeVar("QueriesT_contra", contravariant=True)
Message = TypeVar("Message")
Value = TypeVar("Value")

DEADLINE_S: Final = 5.0
"""How long an ask waits unless told otherwise; never for ever."""


@final
class Bound(Enum):
    """How a mailbox treats a message when many wait."""

    FACT = auto()
    SAMPLE = auto()


@final
class Ref(Generic[CommandsT_contra, QueriesT_contra]):
    """Send commands to an actor and ask it queries.

    ``Ref[Commands, Queries]`` may be passed wherever less is needed: as ``Ref[Some, Never]`` it
    can tell some commands and ask nothing. It is never a message to another process.
    """

    __slots__ = ("_bounds", "_mailbox")

    def __init__(self, mailbox: Mailbox, bounds: Mapping[type, Bound]) -> None:
        self._mailbox: Final[Mailbox] = mailbox
        self._bounds: Final[Mapping[type, Bound]] = bounds

    def __eq__(self, other: object) -> bool:
        """Whether both lead to the same actor."""
        return isinstance(other, Ref) and self._mailbox is other.mailbox

    def __hash__(self) -> int:
        return id(self._mailbox)

    def __repr__(self) -> str:
        return f"<Ref to {self._mailbox.name}>"

    @property
    def mailbox(self) -> Mailbox:
        """Where the messages wait; for dispatchers and tests."""
        return self._mailbox

    def tell(self: Ref[Message, Never], message: Message, /) -> Told[Message]:
        """Send a command. The outcome hands it back if it was not taken; it never waits."""
        mailbox = self._mailbox
        if mailbox.closed:
            return Failure(ActorGone(message=message))
        bound = self._bounds.get(type(message)) if self._bounds else None
        if bound is None:
            return TAKEN if mailbox.post(message) else Failure(MailboxFull(message=message))
        if bound is Bound.FACT:
            mailbox.post_fact(message)
        else:
            mailbox.post_sample(message)
        return TAKEN

    def when_ended(self, call: Callable[[], object], /) -> Callable[[], object]:
        """Call once the actor has ended, now if it has; return what takes that back.

        It is called where the actor ends, so be brief. An actor watches another with ``watch``.
        """
        return self._mailbox.when_ended(call)

    def ask(
        self, query: Asked[QueriesT_contra, Value], /, *, timeout_s: float = DEADLINE_S
    ) -> Outcome[Value, AskFailure]:
        """Ask, and wait for the answer at most ``timeout_s`` seconds.

        For threads that are no actor's. In a handler use ``pipe_to_self``; a wait there that could
        not end comes back as ``Cyclic`` or ``WouldBlock``.
        """
        return outcome_of(self.ask_later(query), timeout_s)

    async def ask_async(
        self, query: Asked[QueriesT_contra, Value], /, *, timeout_s: float = DEADLINE_S
    ) -> Outcome[Value, AskFailure]:
        """Ask, and suspend until the answer is there, at most ``timeout_s`` seconds."""
        reply = self.ask_later(query)
        try:
            async with asyncio.timeout(timeout_s):
                await reply.arrival()
        except TimeoutError:
            return Failure(TimedOut(seconds=timeout_s))
        return outcome_of(reply, 0)

    def ask_later(self, query: Asked[QueriesT_contra, Value], /) -> Reply[Value]:
        """Ask, and return the answer to come; a stopped actor's answers with ``ActorDeadError``."""
        reply: Reply[Value] = Reply()
        envelope = cast("Envelope[object]", Envelope(query, reply_to=reply))  # pykka's is invariant
        mailbox = self._mailbox
        mailbox.put(envelope)
        if mailbox.lends is not None:
            mailbox.lends(_at_once)  # a dispatcher that was closed under it hears that it was asked
        return reply


def _at_once() -> bool:
    return True


def outcome_of(reply: Reply[Value], timeout_s: float | None) -> Outcome[Value, AskFailure]:
    """Wait for a reply and say what it came to; with ``None`` as long as it takes."""
    try:
        return Success(reply.get(timeout=timeout_s))
    except BaseException as error:
        if reply.unhandled(error):
            return Failure(AskGone())
        if reply.gave(error):
            return Failure(Faulted(error=shown(error)))
        match error:
            case Timeout():
                return Failure(TimedOut(seconds=timeout_s or 0))
            case AskCycleError():
                return Failure(Cyclic(actors=error.actors))
            case BlockedDispatcherError():
                return Failure(WouldBlock(reason=str(error)))
            case _:
                raise  # it was not the answer: somebody interrupts this thread
