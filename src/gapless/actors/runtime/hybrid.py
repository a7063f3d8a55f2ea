"""The dispatcher of a threaded host: one worker, and a substitute for it while it waits.

One worker is enough: under the interpreter's lock more of them gave nothing (measured), and a run
queue that they share costs a thread switch per hop on 3.13. So the worker keeps a *private* run
queue, which costs a deque operation a message; other threads inject through a ``SimpleQueue``,
whose ``get`` is where an idle worker sleeps, using no CPU.

Code written for pykka may block in a handler. Then the worker gives its run queue back and
another thread takes over as the worker; when the first one's handler is done it finds itself
replaced and ends. ``_active`` says who the worker is; only it touches its private queue.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, final

from gapless.actors.runtime.dispatch import THROUGHPUT, Abandoned, LetGoError, Runnable
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.waiting import BlockedDispatcherError

POLL_EVERY: Final = 31
"""After so many private turns the injected mailboxes get one: nobody starves the outside."""


@final
class _Worker:
    """One thread's part: the dispatcher it works for, and its private run queue."""

    __slots__ = ("local", "owner")

    def __init__(self, owner: HybridDispatcher) -> None:
        self.owner = owner
        self.local: deque[Runnable] = deque()


class _Mine(threading.local):
    worker: _Worker | None = None


_MINE: Final = _Mine()


@final
class HybridDispatcher:
    """Runs mailboxes on one worker thread, started with the first of them."""

    def __init__(self, throughput: int = THROUGHPUT, most_threads: int = 64) -> None:
        self._throughput = throughput
        self._most_threads = most_threads
        self._inject: SimpleQueue[Runnable | None] = SimpleQueue()
        # Re-entrant: a destructor that the collector runs under it may send something.
        self._lock = threading.RLock()
        self._active: _Worker | None = None
        self._threads: set[threading.Thread] = set()
        self._leaving: set[threading.Thread] = set()  # done with the work, perhaps not yet gone
        self._closed: bool = False
        self._over: bool = False  # closed, and its last thread has ended
        self._abandoned = Abandoned()

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox have a turn soon."""
        worker = _MINE.worker
        if worker is not None and worker is self._active:
            worker.local.append(mailbox)
            return
        self._inject.put(mailbox)
        if self._active is None:
            self._replace(None)
        if self._over:  # looked at after putting: what ends sets this, then looks
            self._abandon_injected()

    def lend(self, done: Callable[[], bool], /) -> None:
        """Let another thread take over, if it is the worker that is about to wait.

        Raises:
            BlockedDispatcherError: too many threads of this dispatcher wait already.

        """
        worker = _MINE.worker
        if worker is None or worker is not self._active or done():
            return
        while worker.local:
            self._inject.put(worker.local.popleft())
        self._replace(worker)

    def close(self, *, wait: bool = True) -> None:
        """End the threads; what was submitted before is still run."""
        with self._lock:
            self._closed = True
            self._over = not self._threads
            wait = wait and threading.current_thread() not in self._threads | self._leaving
        if self._over:
            self._abandon_injected()
        else:
            self._inject.put(None)
        while wait:
            with self._lock:  # one at a time: a handler may yet need a substitute
                thread = next(iter(self._threads or self._leaving), None)
            if thread is None:
                return
            thread.join()
            with self._lock:
                self._threads.discard(thread)  # as it did itself, unless it died
                self._leaving.discard(thread)

    def _replace(self, worker: _Worker | None) -> None:
        """Start a thread as the worker, unless somebody else has replaced ``worker`` already."""
        fresh = _Worker(self)  # made before looking: to make it may run a destructor
        thread = threading.Thread(
            target=self._work, args=(fresh,), name="gapless-worker", daemon=True
        )
        with self._lock:
            if self._active is not worker or (self._closed and worker is None):
                return
            if len(self._threads) >= self._most_threads:
                msg = f"{len(self._threads)} handlers wait, each on a thread of its own"
                raise BlockedDispatcherError(msg)
            self._active = fresh
            try:
                thread.start()  # under the lock: nobody joins a thread that has not begun
            except BaseException:
                self._active = worker  # no thread to be had: as if nobody had asked
                raise
            self._threads.add(thread)

    def _work(self, worker: _Worker) -> None:
        _MINE.worker = worker
        local, throughput = worker.local, self._throughput
        polls = POLL_EVERY
        while worker is self._active:
            polls -= 1
            if local and (polls or self._inject.empty()):
                mailbox: Runnable | None = local.popleft()
            elif self._closed and not local and self._inject.empty() and self._alone():
                break
            else:
                mailbox = self._inject.get()
            if not polls:
                polls = POLL_EVERY
            if mailbox is None:
                continue
            try:
                again = mailbox.run(throughput)
            except BaseException as escaped:  # noqa: BLE001 - logged; this thread is everybody's
                logged("A fault escaped to the worker:")
                again = not isinstance(escaped, LetGoError)
            if again:
                self.submit(mailbox)
                polls = 1  # it has had its batch: now somebody from outside
        with self._lock:
            self._threads.discard(threading.current_thread())
            self._leaving = {each for each in self._leaving if each.is_alive()}
            self._leaving.add(threading.current_thread())
            closed = self._closed
            self._over = closed and not self._threads
        if self._over:
            self._abandon_injected()
        elif closed:
            self._inject.put(None)  # wakes the one that is left, to see that it is

    def _abandon_injected(self) -> None:
        with suppress(Empty):
            while True:
                mailbox = self._inject.get_nowait()
                if mailbox is not None:
                    self._abandoned.add(mailbox)

    def _alone(self) -> bool:
        """Whether no other thread is in a handler, and may yet submit something."""
        with self._lock:
            return len(self._threads) == 1
