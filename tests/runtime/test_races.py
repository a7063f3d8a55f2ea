"""Races too narrow to be met by chance: something happens exactly in the gap."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import final

import pytest

from gapless.actors.runtime import (
    ActorSystem,
    AskGone,
    ManualClock,
    Reply,
    SteppedDispatcher,
    SystemClock,
)
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.timers import Timers, TimerThread
from tests.runtime.kit import PATIENCE_S, Do, Doer, Give, end, error_of


@final
class Gap:
    """A lock; something happens once, right before it is released."""

    def __init__(self, act: Callable[[], object], *, held: bool) -> None:
        self._lock = threading.Lock()
        self._acts = [act]
        if held:
            self._lock.acquire()

    def acquire(self, blocking: bool) -> bool:  # noqa: FBT001 - as a lock's
        return self._lock.acquire(blocking)

    def release(self) -> None:
        if self._acts:
            self._acts.pop()()
        self._lock.release()


def test_a_message_that_comes_after_the_last_look_and_before_it_is_idle_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dispatcher, log = SteppedDispatcher(), list[str]()
    ref = ActorSystem(dispatcher, ManualClock()).spawn(Doer)
    gap = Gap(lambda: ref.tell(Do(lambda: log.append("taken"))), held=True)
    monkeypatch.setattr(ref.mailbox, "_busy", gap)
    dispatcher.run()
    assert log == ["taken"]


def test_an_ask_that_comes_while_a_late_one_is_returned_is_answered_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = ActorSystem(SteppedDispatcher(), ManualClock())
    ref = system.spawn(Doer)
    end(system, ref)
    replies: list[Reply[object]] = []
    gap = Gap(lambda: replies.append(ref.ask_later(Give())), held=False)
    monkeypatch.setattr(ref.mailbox, "_busy", gap)
    assert error_of(ref.ask(Give())) == AskGone()
    assert error_of(outcome_of(replies[0], 0)) == AskGone()


@final
class Clearing:
    """A timer thread's queue; right before it is emptied for the first time something happens."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._acts = [act]
        self._inner: SimpleQueue[None] = SimpleQueue()

    def put(self, item: None) -> None:
        self._inner.put(item)

    def get(self, *, timeout: float) -> None:
        self._inner.get(timeout=timeout)

    def get_nowait(self) -> None:
        if self._acts:
            self._acts.pop()()
        self._inner.get_nowait()


def test_a_timer_thread_that_is_closed_as_it_begins_a_round_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers = Timers(SystemClock())
    thread, begun = TimerThread(timers, SystemClock()), threading.Event()
    running: list[threading.Thread] = []

    def close() -> None:
        thread.close()
        running.append(threading.current_thread())
        begun.set()

    monkeypatch.setattr(thread, "_wake", Clearing(close))
    timers.set("k", 3_600_000, str)
    assert begun.wait(PATIENCE_S)
    running[0].join(PATIENCE_S)
    assert not running[0].is_alive()
