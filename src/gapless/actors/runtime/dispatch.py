"""What runs actors: the contract of a dispatcher."""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, final

from gapless.actors.runtime.logs import logged

THROUGHPUT: Final = 16
"""Messages a mailbox may take in one turn. Of 1 to 256, 16 gave 85 % of the most throughput
while a quiet neighbour still had its turn within 0.25 ms (measured)."""


@final
class LetGoError(BaseException):
    """An interrupt that fell when its turn was over: it must not be scheduled again."""

    def __init__(self, interrupt: BaseException) -> None:
        super().__init__()
        self._interrupt: list[BaseException] = [interrupt]

    def taken(self) -> BaseException:
        """Return the interrupt, once: that they held each other would keep whole frames alive."""
        return self._interrupt.pop()


class Runnable(Protocol):
    """What a dispatcher runs: a mailbox."""

    def run(self, limit: int) -> bool:
        """Take a turn of at most ``limit`` messages; ``True`` if it is to be scheduled again.

        What it raises is an interrupt of this thread. It is to be scheduled again then too, or
        its actor would never run any more.

        Raises:
            LetGoError: an interrupt after which it is not to be scheduled.

        """
        ...

    def abandon(self) -> None:
        """Hear, having been submitted, that it will never run: give back what waits in it."""
        ...


class Dispatcher(Protocol):
    """Runs mailboxes that have work, each by at most one thread at a time."""

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox have a turn soon. Called from any thread, and never blocks."""
        ...

    def lend(self, done: Callable[[], bool], /) -> None:
        """Hear that this thread is about to wait for an answer that one of its mailboxes owes.

        A dispatcher of one thread must see to it that somebody can bring that answer: by
        running mailboxes here until ``done()``, or by letting another thread take over.

        Raises:
            BlockedDispatcherError: nobody could ever bring it.

        """
        ...

    def close(self, *, wait: bool = True) -> None:
        """End its threads; what is submitted later is abandoned.

        ``wait`` until they have ended, unless one of them calls this. A handler that never returns
        would make that for ever.
        """
        ...


@final
class Abandoned:
    """The mailboxes that a closed dispatcher was given, abandoned one after the other.

    To abandon one may submit another, from inside: they queue here, so that a long chain of actors
    that watch each other needs no deep stack.
    """

    def __init__(self) -> None:
        self._waiting: deque[Runnable] = deque()
        self._busy = allocate_lock()

    def add(self, mailbox: Runnable) -> None:
        """Abandon it, here or on the thread that is doing so already."""
        self._waiting.append(mailbox)
        while self._waiting and self._busy.acquire(blocking=False):
            try:
                while self._waiting:
                    self._abandon(self._waiting.popleft())
            finally:
                self._busy.release()

    def _abandon(self, mailbox: Runnable) -> None:
        try:
            mailbox.abandon()
        except BaseException:  # noqa: BLE001 - logged; the others are abandoned too
            logged("A fault escaped from an actor that was abandoned:")
