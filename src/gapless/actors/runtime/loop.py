"""The dispatcher of an asyncio host: mailboxes run on its loop, a burst a callback.

A burst schedules one callback, not one a message; ``_armed`` is held while that is queued
or running. It gives the loop back after 2 ms, so that sockets and timers have their turn.

A loop may be closed under its actors. Whatever they are sent from then on comes back to its sender,
and so does what waited, as soon as anybody sends, asks or stops one of them.
"""

from __future__ import annotations

import asyncio
import time
from _thread import allocate_lock, get_ident
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, final

from gapless.actors.runtime.dispatch import THROUGHPUT, Abandoned, Runnable
from gapless.actors.runtime.waiting import BlockedDispatcherError

BUDGET_S: Final = 0.002
"""How long a burst may keep the loop from everything else."""


@final
class LoopDispatcher:
    """Runs mailboxes on the thread of an event loop: of ``loop``, or of the one that runs now."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop | None = None, throughput: int = THROUGHPUT
    ) -> None:
        self._loop = asyncio.get_running_loop() if loop is None else loop
        self._thread: int | None = get_ident() if loop is None else None
        self._throughput = throughput
        self._ready: deque[Runnable] = deque()
        self._armed = allocate_lock()
        self._closed: bool = False
        self._abandoned = Abandoned()

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox have a turn soon."""
        self._ready.append(mailbox)
        if self._closed or self._loop.is_closed():
            self._abandon_all()
        elif self._armed.acquire(blocking=False):
            self._arm()

    def lend(self, done: Callable[[], bool], /) -> None:
        """Refuse to block the loop that would have to bring the answer.

        If the loop is closed nobody will bring it, and whoever owes it is abandoned.

        Raises:
            BlockedDispatcherError: this is the loop's own thread; await the answer, or pipe it.

        """
        if self._loop.is_closed():
            self._abandon_all()
        if get_ident() == self._thread and not done():
            msg = "a handler on the event loop would block the loop; use pipe_to_self"
            raise BlockedDispatcherError(msg)

    def close(self, *, wait: bool = True) -> None:  # noqa: ARG002 - it has no thread to wait for
        """Run nothing more."""
        self._closed = True
        self._abandon_all()

    def _arm(self) -> None:
        try:
            if get_ident() == self._thread:
                self._loop.call_soon(self._burst)
            else:
                self._loop.call_soon_threadsafe(self._burst)
        except RuntimeError:  # it was closed a moment ago
            self._abandon_all()

    def _abandon_all(self) -> None:
        while self._ready:
            with suppress(IndexError):  # several threads may be at it
                self._abandoned.add(self._ready.popleft())

    def _burst(self) -> None:
        self._thread = get_ident()
        until = time.monotonic() + BUDGET_S
        while self._ready and not self._closed:
            try:
                mailbox = self._ready.popleft()
            except IndexError:  # closed a moment ago, and abandoned
                break
            if mailbox.run(self._throughput):
                self._ready.append(mailbox)
            if time.monotonic() > until:
                break
        if self._closed:
            self._abandon_all()
        if self._ready:
            self._loop.call_soon(self._burst)
            return
        self._armed.release()
        if self._ready and self._armed.acquire(blocking=False):
            self._loop.call_soon(self._burst)
