"""Keyed timers on a clock: setting one again replaces it, and a cancelled one never fires.

The schedule is a heap. A replaced or cancelled entry stays in it, emptied so that it keeps nothing
alive, and is skipped when its time comes; ``_latest`` has the entry of each key that counts. Who
calls ``fire_due`` decides where timers run: a thread that sleeps until the next one
(``TimerThread``), or a test that moved its clock.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple, final

from gapless.actors.runtime.clock import Clock
from gapless.actors.runtime.limits import lock_timeout
from gapless.actors.runtime.logs import contained, logged

_SLACK: Final = 64
"""How many replaced and cancelled entries may stay, beside as many as are live."""


LONGEST_DELAY_MS: Final = 1 << 62
"""A timer for later than that, be it infinitely, is for then."""

LONGEST_SLEEP_MS: Final = 3_600_000
"""How long the thread sleeps at most: a timer may be set for longer than a lock can wait."""


_AFTER_A_FAULT_MS: Final = 100
"""How long the thread sleeps when the clock has raised."""


@final
class _Entry:
    """A timer; ``fire`` is ``None`` once it does not count any more."""

    __slots__ = ("fire", "key")

    def __init__(self, key: Hashable, fire: Callable[[], object]) -> None:
        self.key: Hashable = key
        self.fire: Callable[[], object] | None = fire

    def empty(self) -> Callable[[], object] | None:
        """Let it count no more, and return what it would have done."""
        fire, self.fire, self.key = self.fire, None, None
        return fire


class _Due(NamedTuple):
    due_ms: int
    serial: int  # unique, so that entries are never compared
    entry: _Entry


class Timer(NamedTuple):
    """A timer that is set: what is called when, and under which key."""

    due_ms: int
    key: Hashable
    fire: Callable[[], object]


@final
class Timers:
    """What is to happen when, under one clock. Safe to use from any thread.

    The lock is re-entrant, for a destructor that the collector runs under it may set a timer. What
    is replaced, cancelled or fired is let go of after it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._heap: list[_Due] = []
        self._latest: dict[Hashable, _Entry] = {}
        self._serials = count()
        self._on_earlier: Callable[[], object] = lambda: None

    def set(self, key: Hashable, delay_ms: int, fire: Callable[[], object]) -> None:
        """Call ``fire`` in ``delay_ms``, instead of whatever ``key`` was set to.

        Raises:
            ValueError: the delay is no number.

        """
        delay_ms = int(min(delay_ms, LONGEST_DELAY_MS))  # so that to compare is no user's code
        entry = _Entry(key, fire)
        due = _Due(int(self._clock.now_ms()) + delay_ms, next(self._serials), entry)
        dropped: list[object] = []
        with self._lock:
            replaced = self._latest.get(key)
            self._latest[key] = entry
            if replaced is not None:
                dropped += replaced.key, replaced.empty()
            heapq.heappush(self._heap, due)
            if len(self._heap) > 2 * len(self._latest) + _SLACK:
                self._shrink()
            first = self._heap[0] is due
        dropped.clear()
        if first:
            self._on_earlier()

    def cancel(self, key: Hashable) -> None:
        """Forget ``key``; nothing happens if it is not set."""
        dropped: list[object] = []
        with self._lock:
            cancelled = self._latest.pop(key, None)
            if cancelled is not None:
                dropped += cancelled.key, cancelled.empty()
        dropped.clear()

    def _shrink(self) -> None:
        before, many = self._heap, len(self._heap)
        live = [it for it in before if it.entry.fire is not None]
        heapq.heapify(live)
        if self._heap is before and len(before) == many:  # no destructor set one meanwhile
            self._heap = live

    def next_due_ms(self) -> int | None:
        """Return when the next timer is due, ``None`` if none is set."""
        with self._lock:
            self._drop_dead()
            return self._heap[0].due_ms if self._heap else None

    def fire_due(self) -> int:
        """Fire what is due, in order of due time, then of setting; return how many.

        One that raises is logged, and keeps no other from firing.
        """
        fired = 0
        while (fire := self._pop_due()) is not None:
            contained(fire, "Unhandled exception in a timer:")
            fired += 1
        return fired

    def when_earlier(self, call: Callable[[], object]) -> None:
        """Call ``call`` whenever a timer becomes the next one."""
        self._on_earlier = call

    def freeze(self) -> tuple[Timer, ...]:
        """Return what is set, in the order in which it would fire."""
        with self._lock:
            return tuple(
                Timer(due_ms, entry.key, entry.fire)
                for due_ms, _, entry in sorted(self._heap)
                if entry.fire is not None
            )

    def thaw(self, frozen: tuple[Timer, ...]) -> None:
        """Let exactly this be set. It wakes no thread: for clocks that are moved by hand."""
        with self._lock:
            self._latest = {timer.key: _Entry(timer.key, timer.fire) for timer in frozen}
            # In the order in which they fire, which is a heap already.
            self._heap = [
                _Due(timer.due_ms, next(self._serials), self._latest[timer.key]) for timer in frozen
            ]

    def _pop_due(self) -> Callable[[], object] | None:
        now_ms = self._clock.now_ms()
        with self._lock:
            self._drop_dead()
            if not self._heap or self._heap[0].due_ms > now_ms:
                return None
            entry = heapq.heappop(self._heap).entry
            key, fire = entry.key, entry.empty()
            try:
                if self._latest.get(key) is entry:
                    del self._latest[key]
            except BaseException:  # noqa: BLE001 - logged; it fires all the same
                logged("A key of a timer cannot be hashed any more:")
        del key  # after the lock: this may be the last to hold it
        return fire

    def _drop_dead(self) -> None:
        while self._heap and self._heap[0].entry.fire is None:
            heapq.heappop(self._heap)


@final
class TimerThread:
    """Fires timers at their time; started with the first of them, asleep in between."""

    def __init__(self, timers: Timers, clock: Clock) -> None:
        self._timers = timers
        self._clock = clock
        # A queue, for unlike an event it may be put to by a destructor in the middle of itself.
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._closed: bool = False
        timers.when_earlier(self._earlier)

    def close(self, timeout_s: float | None = None) -> None:
        """End the thread, and wait for that at most so long; what is due later does not fire."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._wake.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(None if timeout_s is None else lock_timeout(timeout_s))

    def _earlier(self) -> None:
        if self._thread is None and not self._closed:
            self._start()
        self._wake.put(None)

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="gapless-timers", daemon=True)
        with self._lock:
            if self._thread is not None or self._closed:
                return
            self._thread = thread
            try:
                thread.start()
            except BaseException:
                self._thread = None  # no thread to be had: the next timer tries again
                raise

    def _run(self) -> None:
        while not self._closed:
            try:
                wait_ms = self._fire()
            except BaseException:  # noqa: BLE001 - the clock's; it is asked again in a while
                logged("The timers cannot tell the time:")
                wait_ms = _AFTER_A_FAULT_MS
            with suppress(Empty):
                self._wake.get(timeout=min(max(0, wait_ms), LONGEST_SLEEP_MS) / 1_000)
                while True:  # what closes sets that it is closed, then wakes
                    self._wake.get_nowait()

    def _fire(self) -> int:
        self._timers.fire_due()
        due = self._timers.next_due_ms()
        return LONGEST_SLEEP_MS if due is None else due - self._clock.now_ms()
