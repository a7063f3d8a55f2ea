"""Answers to come: pykka futures that cost little, really await, and know who owes them.

Stock: a Condition, its lock and a deque for each ask, and an ``await`` that yields once and
then blocks the event loop (301 ms for a 300 ms ask, measured). Here a future has a
slot for its value and makes a lock only when a thread has to wait. It is resolved under one of a
fixed set of locks, so that resolving, waiting and adding a callback cannot cross.
"""

from __future__ import annotations

import asyncio
import sys
import time
from _thread import LockType, allocate_lock, get_ident
from collections.abc import Callable, Generator
from contextlib import suppress
from queue import Full
from typing import Final, Generic, TypeVar, cast, final

from pykka import ActorDeadError, Future, Timeout

from gapless.actors.runtime.limits import lock_timeout
from gapless.actors.runtime.locks import Lock, shared_lock
from gapless.actors.runtime.logs import contained
from gapless.actors.runtime.seams import UNSET, ExcInfo
from gapless.actors.runtime.waiting import HERE, Waiter, waiting_for

Value = TypeVar("Value")

_LOCKS: Final = tuple(shared_lock() for _ in range(64))


@final
class Reply(Future[Value], Generic[Value]):
    """A value that an actor owes."""

    def __init__(self) -> None:
        # The fields of Future.__init__, with one shared sentinel instead of one each.
        self._get_hook: Callable[[float | None], Value] | None = None
        self._get_hook_result = UNSET
        self._done: bool = False
        self._value: Value | None = None
        self._exc_info: ExcInfo | None = None
        self._waiter: LockType | None = None
        self._callbacks: tuple[Callable[[], object], ...] = ()
        self.owed_by: Waiter | None = None

    @property
    def done(self) -> bool:
        """Whether the value, or an exception in its place, is there."""
        return self._done

    def gave(self, error: BaseException) -> bool:
        """Whether ``error`` was given in place of the value, and not raised by waiting for it."""
        given = self._exc_info
        return given is not None and (given[1] is None or given[1] is error)

    def unhandled(self, error: BaseException) -> bool:
        """Whether ``error`` says that no handler came to it: what a handler raised was traced."""
        given = self._exc_info
        return isinstance(error, ActorDeadError) and given is not None and given[2] is None

    def set(self, value: Value | None = None) -> None:
        """Give the value.

        Raises:
            queue.Full: it was given before.

        """
        self._resolve(value, None)

    def set_exception(self, exc_info: ExcInfo | None = None) -> None:
        """Give an exception in place of the value; without an argument the one being handled.

        Raises:
            queue.Full: it was given before.

        """
        self._resolve(None, sys.exc_info() if exc_info is None else exc_info)

    def set_get_hook(self, func: Callable[[float | None], Value]) -> None:
        """Compute the value by ``func`` when it is asked for.

        Raises:
            queue.Full: the value is there already.

        """
        with self._lock():
            if self._done:
                raise Full
            self._get_hook = func
            waiter, callbacks = self._waiter, self._callbacks
            self._callbacks = ()
        self._wake(waiter, callbacks)

    def when_done(self, callback: Callable[[], object]) -> None:
        """Call back once the value is there: on the thread that gives it, or at once.

        What it raises there is logged: whoever gives an answer is not to blame for its use.
        """
        added = (callback,)
        with self._lock():
            while not self._done:
                before = self._callbacks
                after = before + added  # to make it may run a destructor, which may add another
                if self._callbacks is before:
                    self._callbacks = after
                    return
        callback()

    def get(self, *, timeout: float | None = None) -> Value:
        """Return the value, waiting for it at most ``timeout`` seconds.

        Raises:
            pykka.Timeout: it did not come in time.
            AskCycleError: a handler waits, directly or through others, for itself.
            BaseException: whatever was given in place of the value.

        """
        if not self._done and self._get_hook is None:
            self._wait(timeout)
        if self._get_hook is not None:  # perhaps set while this thread waited
            return super().get(timeout=timeout)
        if self._exc_info is not None:
            _raise(self._exc_info)
        return cast("Value", self._value)  # done and no exception: it was given as one

    def __await__(self) -> Generator[None, None, Value]:
        """Suspend the coroutine until the value is there."""
        if not self._done and self._get_hook is None:
            yield from self.arrival().__await__()
        if self._get_hook is not None:
            loop = asyncio.get_running_loop()
            return (yield from loop.run_in_executor(None, self.get).__await__())
        return self.get()

    __iter__ = __await__

    def arrival(self) -> asyncio.Future[None]:
        """Return a future of the running loop that is done once the answer is there."""
        loop, thread = asyncio.get_running_loop(), get_ident()
        arrived: asyncio.Future[None] = loop.create_future()

        def arrive() -> None:
            if not arrived.done():
                arrived.set_result(None)

        def arrive_from_anywhere() -> None:
            if get_ident() == thread:
                arrive()
                return
            with suppress(RuntimeError):  # its loop is closed: nobody waits any more
                loop.call_soon_threadsafe(arrive)

        self.when_done(arrive_from_anywhere)
        return arrived

    def _lock(self) -> Lock:
        return _LOCKS[(id(self) >> 6) & 63]

    def _resolve(self, value: Value | None, exc_info: ExcInfo | None) -> None:
        with self._lock():
            if self._done or self._get_hook is not None:
                raise Full
            self._value = value
            self._exc_info = exc_info
            self._done = True
            waiter, callbacks = self._waiter, self._callbacks
            self._callbacks = ()
        self.owed_by = None
        self._wake(waiter, callbacks)

    def _wake(self, waiter: LockType | None, callbacks: tuple[Callable[[], object], ...]) -> None:
        if waiter is not None:
            waiter.release()
        for callback in callbacks:
            contained(callback, "Unhandled exception in a callback of an answer:")

    def _wait(self, timeout: float | None) -> None:
        with waiting_for(self):
            self._lend(timeout)
            made = allocate_lock()
            made.acquire()
            with self._lock():
                if self._done or self._get_hook is not None:
                    return
                waiter = self._waiter
                if waiter is None:
                    waiter = self._waiter = made
            came = waiter.acquire(timeout=lock_timeout(timeout))
        if not came:
            msg = f"{timeout} seconds"
            raise Timeout(msg)
        waiter.release()  # the next thread that waits here

    def _lend(self, timeout: float | None) -> None:
        """Let the dispatchers go on: the one whose thread waits here, and the one that owes."""
        until = None if timeout is None else time.monotonic() + timeout

        def over() -> bool:
            return self._done or (until is not None and time.monotonic() >= until)

        lenders = [HERE.mailbox, self.owed_by]
        lends = [it.lends for it in lenders if it is not None]
        for lend in dict.fromkeys(it for it in lends if it is not None):
            lend(over)


def _raise(exc_info: ExcInfo) -> None:
    kind, value, traceback = exc_info
    if value is None:
        value = BaseException() if kind is None else kind()
    raise value if value.__traceback__ is traceback else value.with_traceback(traceback)
