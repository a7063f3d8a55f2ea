"""What is to come of a call: wait for it in a thread, or await it on an event loop.

One face for both kinds of host, so that no call exists twice. The call is made when the ``Pending``
is: to wait for it, or not to, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from queue import Full
from typing import Final, Generic, TypeVar, assert_never, final

from gapless.actors.runtime import AskFailure, Reply
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.waiting import Waiter
from gapless.typings.outcome import Failure, Outcome, Success

Value = TypeVar("Value")
Error = TypeVar("Error")
Other = TypeVar("Other")
OtherError = TypeVar("OtherError")

PATIENCE_S: Final = 5.0
"""How long ``wait`` waits unless told otherwise."""


@final
class Pending(Generic[Value, Error]):
    """The outcome of a call, once it is there.

    In a thread ``pending.wait()``, on an event loop ``await pending``; both give the same outcome.
    """

    __slots__ = ("_patience_s", "_reply")

    def __init__(self, owed_by: Waiter | None = None, patience_s: float = PATIENCE_S) -> None:
        self._reply: Reply[Outcome[Value, Error]] = Reply()
        self._reply.owed_by = owed_by
        self._patience_s = patience_s

    @property
    def done(self) -> bool:
        """Whether the outcome is there."""
        return self._reply.done

    def wait(self, timeout_s: float | None = None) -> Outcome[Value, Error | AskFailure]:
        """Wait in this thread for the outcome, ``timeout_s`` seconds at most.

        For threads that run no actor. A wait that could not end comes back at once, as
        ``WouldBlock`` on the thread of the event loop that brings the outcome, as ``Cyclic``
        in a handler of what is waited for. After those, and after ``TimedOut``, the call goes on.
        """
        outcome = outcome_of(self._reply, self._patience_s if timeout_s is None else timeout_s)
        match outcome:
            case Success(come):
                return come
            case Failure():
                return outcome
            case _:
                assert_never(outcome)

    def __await__(self) -> Generator[None, None, Outcome[Value, Error]]:
        """Suspend the coroutine until the outcome is there; bound it with ``asyncio.timeout``."""
        return self._reply.__await__()

    def when_done(self, call: Callable[[Outcome[Value, Error]], object]) -> None:
        """Call with the outcome once it is there: on the thread that brings it, so be brief."""
        self._reply.when_done(lambda: call(self._reply.get()))

    def then(
        self, convert: Callable[[Outcome[Value, Error]], Outcome[Other, OtherError]]
    ) -> Pending[Other, OtherError]:
        """Return what this comes to in other words, pending as long as it is."""
        pending: Pending[Other, OtherError] = Pending(self._reply.owed_by, self._patience_s)
        self.when_done(lambda outcome: pending.settle(convert(outcome)))
        return pending

    def settle(self, outcome: Outcome[Value, Error]) -> None:
        """Give the outcome, unless it was given before."""
        with suppress(Full):
            self._reply.set(outcome)


def settled(outcome: Outcome[Value, Error]) -> Pending[Value, Error]:
    """Return what has come already."""
    pending: Pending[Value, Error] = Pending()
    pending.settle(outcome)
    return pending
