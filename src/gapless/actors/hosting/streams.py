"""Streams to a host's reader: iterated in a thread or on an event loop, never blocking a writer.

What a reader has not read waits in a buffer that is bounded by whoever fills it: ``Changes`` leaves
out and says so, ``Continuations`` keeps the latest. A stream is for one reader at a time.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Self, TypeVar, assert_never
from weakref import finalize

from gapless.actors.runtime import AskFailure, AskGone, Reply, TimedOut
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.waiting import Waiter
from gapless.typings.outcome import Failure, Outcome, Success

Item = TypeVar("Item")


class Stream(ABC, Generic[Item]):
    """Items for one reader, until the session is over or the stream is closed.

    ``for item in stream`` in a thread, ``async for item in stream`` on an event loop. Leaving a
    ``with`` block closes it, and so does letting go of it.
    """

    def __init__(self, owed_by: Waiter) -> None:
        self._owed_by = owed_by
        self._lock = threading.Lock()
        self._waiting: Reply[None] | None = None
        self._over: bool = False
        self._unsubscribe: tuple[Callable[[], object], ...] = ()

    @abstractmethod
    def take(self) -> Outcome[Item, None]:
        """Take the next item, if there is one; called under the lock."""

    def __enter__(self) -> Self:
        """Return the stream itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def __iter__(self) -> Self:
        """Return the stream itself."""
        return self

    def __next__(self) -> Item:
        """Wait in this thread for the next item.

        Raises:
            StopIteration: there will be none.
            RuntimeError: this thread runs the session: use ``async for``.

        """
        outcome = self.next(None)
        match outcome:
            case Success(item):
                return item
            case Failure(error):
                if isinstance(error, AskGone):
                    raise StopIteration
                msg = f"to wait here would never end: {error}"
                raise RuntimeError(msg)
            case _:
                assert_never(outcome)

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> Item:
        """Suspend until the next item is there.

        Raises:
            StopAsyncIteration: there will be none.

        """
        while isinstance(step := self._step(), Reply):
            await step.arrival()
        match step:
            case Success(item):
                return item
            case Failure():
                raise StopAsyncIteration
            case _:
                assert_never(step)

    def next(self, timeout_s: float | None) -> Outcome[Item, AskFailure]:
        """Wait in this thread for the next item, ``timeout_s`` seconds at most.

        ``AskGone``: there will be none. ``WouldBlock``: use ``async for`` on this thread.
        """
        until_s = None if timeout_s is None else time.monotonic() + timeout_s
        while isinstance(step := self._step(), Reply):
            left_s = None if until_s is None else max(0.0, until_s - time.monotonic())
            came = outcome_of(step, left_s)
            if isinstance(came, Failure):
                late = isinstance(came.failure(), TimedOut)
                return Failure(TimedOut(seconds=timeout_s or 0)) if late else came
        return step

    def subscribed(self, unsubscribe: Callable[[], object]) -> None:
        """Note how to unsubscribe when it is closed, or nobody holds it; do so now if it is."""
        once = finalize(self, unsubscribe)
        once.atexit = False
        with self._lock:
            over = self._over
            if not over:
                self._unsubscribe = (*self._unsubscribe, once)
        if over:
            once()

    def close(self) -> None:
        """Let there be no more items; who waits for one is told."""
        with self._lock:
            self._over = True
            unsubscribe, self._unsubscribe = self._unsubscribe, ()
            waiting = self._rouse()
        for each in unsubscribe:
            each()
        if waiting is not None:
            waiting.set()

    def _rouse(self) -> Reply[None] | None:
        waiting, self._waiting = self._waiting, None
        return waiting

    def _step(self) -> Outcome[Item, AskGone] | Reply[None]:
        with self._lock:
            taken = self.take()
            if isinstance(taken, Success):
                return taken
            if self._over:
                return Failure(AskGone())
            if self._waiting is None:
                self._waiting = Reply()
                self._waiting.owed_by = self._owed_by
            return self._waiting
