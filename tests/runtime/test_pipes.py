"""Answers that come as messages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import final

import pytest

from gapless.actors.runtime import AskFailure, AskGone, Death, Faulted, Ref, TimedOut
from gapless.typings.outcome import Failure, Outcome, Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    end,
    letters_of,
    raising,
    switching_every,
    together,
    value_of,
)


class Asker(Doer):
    """Asks when it is told, and notes what it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Outcome[object, AskFailure]] = []
        self.told = threading.Event()

    def ask(self, other: Ref[Do, Give], query: Give, timeout_s: float = 5.0) -> Do:
        return Do(lambda: self.pipe_to_self(other, query, self.hears, timeout_s=timeout_s))

    def hears(self, outcome: Outcome[object, AskFailure]) -> Do:
        def hear() -> None:
            self.heard.append(outcome)
            self.told.set()

        return Do(hear)


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        (lambda: 42, Success(42)),
        (raising(ValueError("no")), Failure(Faulted(error="ValueError('no')"))),
        (raising(Halt("no")), Failure(Faulted(error="Halt('no')"))),
    ],
)
def test_an_answer_or_a_fault_comes_as_one_message(
    host: Host, act: Callable[[], object], outcome: object
) -> None:
    system = host.system()
    asker = Asker()
    me, other = system.spawn(lambda: asker), system.spawn(Doer)
    me.tell(asker.ask(other, Give(act)))
    assert host.until(asker.told)
    host.clock.advance(60_000)
    assert system.timers.fire_due() == 0
    caught_up(me)
    assert asker.heard == [outcome]


def test_that_the_other_is_gone_comes_as_a_message(host: Host) -> None:
    system = host.system()
    asker = Asker()
    me, other = system.spawn(lambda: asker), system.spawn(Doer)
    end(system, other)
    me.tell(asker.ask(other, Give()))
    assert host.until(asker.told)
    assert asker.heard == [Failure(AskGone())]


@final
class Held:
    """A query whose answer waits until it is released."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.release = threading.Event()
        self.query = Give(self._wait)

    def _wait(self) -> bool:
        self.asked.set()
        return self.release.wait(PATIENCE_S)


def test_the_deadline_comes_as_a_message_and_a_late_answer_falls_to_the_floor(
    background: Host, caplog: pytest.LogCaptureFixture
) -> None:
    system = background.system()
    asker, held = Asker(), Held()
    me, other = system.spawn(lambda: asker), system.spawn(Doer)
    me.tell(asker.ask(other, held.query, 1.5))
    assert held.asked.wait(PATIENCE_S)
    background.clock.advance(1_499)
    assert system.timers.fire_due() == 0
    background.clock.advance(1)
    assert system.timers.fire_due() == 1
    held.release.set()
    caught_up(other)
    caught_up(me)
    assert asker.heard == [Failure(TimedOut(seconds=1.5))]
    assert caplog.records == []


def test_of_an_answer_and_a_deadline_at_once_exactly_one_comes(background: Host) -> None:
    system = background.system()
    asker = Asker()
    me, other = system.spawn(lambda: asker), system.spawn(Doer)
    with switching_every(1e-6):
        for number in range(1, 41):
            held = Held()
            me.tell(asker.ask(other, held.query, 1.0))
            assert held.asked.wait(PATIENCE_S)
            background.clock.advance(1_000)
            together([system.timers.fire_due, held.release.set])
            caught_up(other)
            caught_up(me)
            assert len(asker.heard) == number


def test_a_message_that_cannot_be_made_of_an_answer_is_a_dead_letter(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    asker = Asker()
    me, other = system.spawn(lambda: asker), system.spawn(Doer)
    fail = raising(ValueError("unmakeable"))
    me.tell(Do(lambda: asker.pipe_to_self(other, Give(lambda: 1), lambda _: fail())))
    caught_up(me)
    caught_up(other)
    (letter,) = letters
    assert (letter.message, letter.death) == (Success(1), Death.PARKED)
    assert value_of(me.ask(Give(lambda: 2))) == 2
