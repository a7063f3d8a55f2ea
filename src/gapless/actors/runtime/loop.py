"""The dispatcher of an asyncio host: mailboxes run on its loop, a burst a callback.

A burst schedules one callback, not one a message; ``_armed`` says that it is queued or running.
It gives the loop back after 2 ms, so that sockets and timers have their turn.

Other threads need theirs too. One that waits for the interpreter asks for it after the switch
interval (5 ms), counted anew each time the interpreter is let go; and a loop lets it go whenever it
looks at its sockets, and has it back before anybody else is awake. So bursts shorter than the
interval, one after another, kept every other thread out for minutes (measured on two idle cores).
Every eighth burst of such a row goes on until those who wait have asked, and are let in.

A loop may be closed under its actors, or interrupted anywhere. So the callback knows whether it was
done with: one that is dropped before says so. If the loop is closed then, whatever waits in its
actors comes back to its senders at once, and so does what they are sent from then on.
"""

from __future__ import annotations

import asyncio
import sys
import time
from _thread import get_ident
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, final

from gapless.actors.runtime.dispatch import THROUGHPUT, Abandoned, LetGoError, Runnable
from gapless.actors.runtime.waiting import BlockedDispatcherError

BUDGET_S: Final = 0.002
"""How long a burst may keep the loop from everything else, beside the turn that it is in."""

LET_IN_EVERY: Final = 8
"""After so many bursts in a row that used up their budget the threads that wait are let in."""


@final
class _Burst:
    """The callback; ``due`` until there is no work left for it."""

    due: bool = False

    def __init__(self, owner: LoopDispatcher) -> None:
        self._owner = owner

    def __call__(self) -> None:
        self._owner.burst(self)

    def __del__(self) -> None:
        if self.due:
            self._owner.lost()


@final
class LoopDispatcher:
    """Runs mailboxes on the thread of an event loop: of ``loop``, or of the one that runs now."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop | None = None, throughput: int = THROUGHPUT
    ) -> None:
        self._loop = asyncio.get_running_loop() if loop is None else loop
        self._thread: int | None = get_ident() if loop is None else None  # where it ran last
        self._throughput = throughput
        self._ready: deque[Runnable] = deque()
        self._armed: bool = False  # if two threads arm it at once, there are two callbacks: no harm
        self._closed: bool = False
        self._in_a_row = 0  # bursts that used up their budget
        self._abandoned = Abandoned()

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox have a turn soon."""
        try:
            self._ready.append(mailbox)
            if self._closed or self._loop.is_closed():
                self._abandon_all()
            elif not self._armed:
                self._arm()
        except BaseException:  # an interrupt of this thread: the mailbox has its turn all the same
            self._arm()
            raise

    def lend(self, done: Callable[[], bool], /) -> None:
        """Refuse to block the loop that would have to bring the answer.

        If the loop is closed nobody will bring it, and whoever owes it is abandoned.

        Raises:
            BlockedDispatcherError: this is the loop's own thread; await the answer, or pipe it.

        """
        if self._loop.is_closed():
            self._abandon_all()
        if self.would_block() and not done():
            msg = "to wait here would block the event loop: await it, or use pipe_to_self"
            raise BlockedDispatcherError(msg)

    def close(self, *, wait: bool = True) -> None:  # noqa: ARG002 - it has no thread to wait for
        """Run nothing more."""
        self._closed = True
        self._abandon_all()

    def burst(self, callback: _Burst) -> None:
        """Run mailboxes; called back by the loop, with what it calls.

        An interrupt may fall anywhere. Whatever it is, the mailbox is ready again, and ``callback``
        is queued again, or is dropped while it is due. So nothing is called between taking one
        out and saying that it was, or between having nothing left and saying so.
        """
        self._thread = get_ident()
        ready, throughput = self._ready, self._throughput
        self._in_a_row += 1
        until = time.monotonic() + BUDGET_S
        if self._in_a_row % LET_IN_EVERY == 0:
            until += 2 * sys.getswitchinterval()
        while ready and not self._closed:
            again = True
            mailbox = ready[0]
            del ready[0]
            try:
                again = mailbox.run(throughput)
            except LetGoError as late:
                again = False
                raise late.taken() from None
            finally:
                if again:
                    ready.append(mailbox)
            if time.monotonic() > until:
                break
        if self._closed:
            self._abandon_all()
        self._armed = False
        if ready:  # looked at after disarming: a sender appends, then looks whether it is armed
            self._armed = True
            self._loop.call_soon(callback)
        else:
            self._in_a_row = 0
            callback.due = False

    def lost(self) -> None:
        """Hear that a callback was dropped: the loop was closed or interrupted."""
        self._armed = False
        if self._closed or self._loop.is_closed():
            self._abandon_all()
        elif self._ready:
            self._arm()

    def _arm(self) -> None:
        burst = _Burst(self)
        self._armed = burst.due = True
        try:
            if get_ident() == self._thread and self._runs_here():
                self._loop.call_soon(burst)
            else:
                self._loop.call_soon_threadsafe(burst)
        except RuntimeError:  # it was closed a moment ago
            self._abandon_all()

    def _runs_here(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    def would_block(self) -> bool:
        """Whether this thread runs the loop, or did and the loop runs nowhere else by now."""
        if self._loop.is_running():
            return self._runs_here()
        return get_ident() == self._thread

    def _abandon_all(self) -> None:
        while self._ready:
            with suppress(IndexError):  # several threads may be at it
                self._abandoned.add(self._ready.popleft())
