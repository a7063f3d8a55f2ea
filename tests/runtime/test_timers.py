"""Timers, on a clock that is moved by hand and on a real one."""

from __future__ import annotations

import threading
from functools import partial
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.runtime import ActorSystem, ManualClock, SteppedDispatcher, SystemClock
from gapless.actors.runtime.timers import Timers, TimerThread
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Host,
    caught_up,
    end,
    raising,
    switching_every,
)

Set: TypeAlias = tuple[str, int]


class Token:
    """A callable that says whether it lives."""

    def __init__(self, alive: list[int]) -> None:
        self._alive = alive
        alive.append(1)

    def __call__(self) -> None: ...

    def __del__(self) -> None:
        self._alive.pop()


def test_a_timer_tells_its_actor_when_it_is_due(host: Host) -> None:
    system = host.system()
    actor = Doer()
    ref = system.spawn(lambda: actor)
    log: list[str] = []
    ref.tell(Do(lambda: actor.set_timer("k", 100, Do(lambda: log.append("rang")))))
    caught_up(ref)
    host.clock.advance(99)
    assert system.timers.fire_due() == 0
    host.clock.advance(1)
    assert system.timers.fire_due() == 1
    caught_up(ref)
    assert log == ["rang"]


def test_keys_of_one_actor_are_not_those_of_another(host: Host) -> None:
    system = host.system()
    one, other = Doer(), Doer()
    system.spawn(lambda: one)
    system.spawn(lambda: other)
    one.set_timer("k", 1, Do(str))
    other.set_timer("k", 1, Do(str))
    one.cancel_timer("k")
    host.clock.advance(1)
    assert system.timers.fire_due() == 1


def test_a_clock_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="back"):
        ManualClock().advance(-1)


def test_a_timer_that_raises_keeps_no_other_from_firing() -> None:
    timers = Timers(ManualClock())
    log: list[str] = []
    timers.set("bad", 0, raising(ValueError("a timer")))
    timers.set("good", 0, lambda: log.append("good"))
    assert timers.fire_due() == 2
    assert log == ["good"]


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 5), st.integers(0, 20)),
        st.tuples(st.just("cancel"), st.integers(0, 5), st.just(0)),
        st.tuples(st.just("advance"), st.just(0), st.integers(0, 15)),
    ),
    max_size=200,
)


@given(OPERATIONS)
def test_timers_do_what_a_sorted_list_would(operations: list[tuple[str, int, int]]) -> None:
    clock = ManualClock()
    timers = Timers(clock)
    fired: list[int] = []
    expected: list[int] = []
    model: list[tuple[int, int, int]] = []
    for serial, (what, key, ms) in enumerate(operations):
        if what == "advance":
            clock.advance(ms)
            due = sorted(entry for entry in model if entry[0] <= clock.now_ms())
            expected += [entry[1] for entry in due]
            model = [entry for entry in model if entry not in due]
            timers.fire_due()
            assert fired == expected
        else:
            model = [entry for entry in model if entry[2] != key]
            if what == "set":
                model.append((clock.now_ms() + ms, serial, key))
                timers.set(key, ms, partial(fired.append, serial))
            else:
                timers.cancel(key)
        assert timers.next_due_ms() == min((entry[0] for entry in model), default=None)


def test_on_a_real_clock_timers_ring_by_themselves() -> None:
    with ActorSystem(SteppedDispatcher()) as system:
        rung = threading.Event()
        system.timers.set("later", 60_000, raising(AssertionError()))
        system.timers.set("soon", 1, rung.set)
        assert rung.wait(PATIENCE_S)


def test_an_earlier_timer_is_not_kept_waiting_for_a_later_one() -> None:
    timers = Timers(SystemClock())
    thread = TimerThread(timers, SystemClock())
    for number in range(20):
        rung = threading.Event()
        timers.set("later", 60_000 + number, raising(AssertionError()))
        timers.set("soon", 0, rung.set)
        assert rung.wait(PATIENCE_S)
    thread.close()


class Counting:
    """A clock that counts how often it is read."""

    def __init__(self) -> None:
        self.reads = 0
        self._real = SystemClock()

    def now_ms(self) -> int:
        self.reads += 1
        return self._real.now_ms()


def test_between_two_timers_the_clock_is_not_polled() -> None:
    clock = Counting()
    timers = Timers(clock)
    thread = TimerThread(timers, clock)
    rung = threading.Event()
    timers.set("k", 50, rung.set)
    assert rung.wait(PATIENCE_S)
    thread.close()
    assert clock.reads < 20


def test_a_system_without_a_timer_has_no_thread_for_them() -> None:
    before = threading.active_count()
    with ActorSystem(SteppedDispatcher()):
        assert threading.active_count() == before


def test_closing_ends_the_thread_whenever_it_comes() -> None:
    with switching_every(1e-6):
        for _ in range(200):
            timers = Timers(SystemClock())
            thread = TimerThread(timers, SystemClock())
            timers.set("k", 0, str)
            thread.close()
    assert "gapless-timers" not in {each.name for each in threading.enumerate()}


def test_setting_a_timer_again_and_again_does_not_pile_up() -> None:
    timers = Timers(ManualClock())
    alive: list[int] = []

    for _ in range(1_000):
        timers.set("k", 3_600_000, Token(alive))
    assert len(alive) < 100


def test_a_timer_that_has_rung_and_is_cancelled_before_its_turn_does_not_come(host: Host) -> None:
    system, log = host.system(), list[str]()
    actor = Doer()
    ref = system.spawn(lambda: actor)

    def ring_and_cancel() -> None:
        actor.set_timer("k", 5, Do(lambda: log.append("rang")))
        host.clock.advance(5)
        assert system.timers.fire_due() == 1
        actor.cancel_timer("k")

    ref.tell(Do(ring_and_cancel))
    caught_up(ref)
    caught_up(ref)
    assert log == []


def test_a_timer_that_has_rung_and_is_set_anew_comes_only_at_its_new_time(host: Host) -> None:
    system, log = host.system(), list[str]()
    actor = Doer()
    ref = system.spawn(lambda: actor)

    def ring_and_set() -> None:
        actor.set_timer("k", 5, Do(lambda: log.append("old")))
        host.clock.advance(5)
        assert system.timers.fire_due() == 1
        actor.set_timer("k", 5, Do(lambda: log.append("new")))

    ref.tell(Do(ring_and_set))
    caught_up(ref)
    caught_up(ref)
    assert log == []
    host.clock.advance(5)
    assert system.timers.fire_due() == 1
    caught_up(ref)
    assert log == ["new"]


def test_a_timer_that_has_rung_can_be_set_again(host: Host) -> None:
    system, log = host.system(), list[str]()
    actor = Doer()
    ref = system.spawn(lambda: actor)

    def again() -> None:
        log.append("rang")
        actor.set_timer("k", 1, Do(again))

    ref.tell(Do(again))
    for _ in range(3):
        caught_up(ref)
        host.clock.advance(1)
        assert system.timers.fire_due() == 1
    caught_up(ref)
    assert len(log) == 4


def test_the_timers_of_an_actor_end_with_it(host: Host) -> None:
    system = host.system()
    actor = Doer()
    ref = system.spawn(lambda: actor)
    ref.tell(Do(lambda: actor.set_timer("k", 1, Do(str))))
    caught_up(ref)
    end(system, ref)
    host.clock.advance(1)
    assert system.timers.fire_due() == 0


def test_a_cancelled_timer_keeps_nothing_alive() -> None:
    timers = Timers(ManualClock())
    alive: list[int] = []

    timers.set("first", 0, str)
    timers.set("k", 3_600_000, Token(alive))
    timers.cancel("k")
    assert alive == []
