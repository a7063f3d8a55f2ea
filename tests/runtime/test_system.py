"""How a system ends, and what a hook that fails costs."""

from __future__ import annotations

import threading
from functools import partial
from types import TracebackType

import pytest

from gapless.actors.runtime import ActorSystem, AskGone
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    error_of,
    letters_of,
    raising,
    value_of,
)


class Named(Doer):
    def __init__(self, name: str, log: list[str]) -> None:
        super().__init__()
        self._name = name
        self._log = log

    def on_stop(self) -> None:
        self._log.append(self._name)


def test_stopping_ends_every_actor_newest_first(host: Host) -> None:
    system, log = host.system(), list[str]()
    for name in "abc":
        caught_up(system.spawn(Named, name, log))
    assert system.stop()
    assert log == ["c", "b", "a"]
    assert system.alive == 0


def test_messages_sent_before_stopping_are_handled_and_asks_after_it_are_answered(
    host: Host,
) -> None:
    system, log = host.system(), list[int]()
    ref = system.spawn(Doer)
    for number in range(100):
        ref.tell(Do(partial(log.append, number)))
    assert system.stop()
    assert log == list(range(100))
    assert error_of(ref.ask(Give())) == AskGone()


def test_stopping_twice_is_stopping_once(host: Host) -> None:
    system, log = host.system(), list[str]()
    system.spawn(Named, "a", log)
    assert system.stop()
    assert system.stop()
    assert log == ["a"]


def test_an_actor_that_was_spawned_by_one_that_stops_ends_too(host: Host) -> None:
    system, log = host.system(), list[str]()

    class Parent(Doer):
        def on_stop(self) -> None:
            log.append("parent")
            self.system.spawn(Named, "child", log)

    system.spawn(Parent)
    assert system.stop()
    assert log == ["parent", "child"]


def test_leaving_a_system_stops_it() -> None:
    log = list[str]()
    with ActorSystem() as system:
        system.spawn(Named, "a", log)
    assert log == ["a"]


def test_an_actor_that_is_stuck_is_not_waited_for_longer_than_was_asked(background: Host) -> None:
    system = background.system()
    gate, inside = threading.Event(), threading.Event()

    def stick() -> None:
        inside.set()
        assert gate.wait(PATIENCE_S)

    system.spawn(Doer).tell(Do(stick))
    assert inside.wait(PATIENCE_S)
    assert not system.stop(timeout_s=0.01)
    gate.set()
    background.systems.clear()  # it was closed before it could end


def test_what_is_dead_when_stopping_returns_has_been_published(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    actor = Doer()
    ref = system.spawn(lambda: actor)

    def stop_and_send() -> None:
        actor.stop()
        for _ in range(50):
            ref.tell(Do(str))

    ref.tell(Do(stop_and_send))
    assert system.stop()
    assert len(letters) == 50


@pytest.mark.parametrize("error", [ValueError("start"), Halt("start")])
def test_an_actor_that_cannot_start_ends_alone(host: Host, error: BaseException) -> None:
    system = host.system()
    broken, other = system.spawn(Doer, raising(error)), system.spawn(Doer)
    assert value_of(other.ask(Give(lambda: 1))) == 1
    assert error_of(broken.ask(Give())) == AskGone()


class Fragile(Doer):
    def on_stop(self) -> None:
        raise Halt

    def on_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        del exception_type, exception_value, traceback
        raise Halt


def test_an_actor_that_fails_in_stopping_or_in_failing_ends_alone(host: Host) -> None:
    system = host.system()
    actor = Fragile()
    first, second, other = system.spawn(lambda: actor), system.spawn(Fragile), system.spawn(Doer)
    actor.stop()
    second.tell(Do(raising(ValueError())))
    assert error_of(first.ask(Give())) == AskGone()
    assert error_of(second.ask(Give())) == AskGone()
    assert value_of(other.ask(Give(lambda: 1))) == 1
