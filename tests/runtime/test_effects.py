"""Effects are done once each, whoever wants them and however often."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import final

import pytest

from gapless.actors.runtime import EffectRunner, Faulted
from gapless.typings.outcome import Failure, Outcome, Success
from tests.runtime.kit import PATIENCE_S, Halt, raising, switching_every, together


@final
class Heard:
    """A listener that can be waited for."""

    def __init__(self) -> None:
        self._outcomes: list[Outcome[int, Faulted]] = []
        self._came = threading.Semaphore(0)

    def __call__(self, outcome: Outcome[int, Faulted]) -> None:
        self._outcomes.append(outcome)
        self._came.release()

    def first(self, many: int) -> list[Outcome[int, Faulted]]:
        for _ in range(many):
            assert self._came.acquire(timeout=PATIENCE_S)
        return self._outcomes


@pytest.fixture
def runner() -> Iterator[EffectRunner[int, int]]:
    made: EffectRunner[int, int] = EffectRunner()
    yield made
    made.close()


def test_a_repeat_of_a_running_effect_hears_of_the_same_one(
    runner: EffectRunner[int, int],
) -> None:
    gate, heard, done = threading.Event(), Heard(), list[int]()

    def work() -> int:
        assert gate.wait(PATIENCE_S)
        done.append(1)
        return len(done)

    for _ in range(3):
        runner.run(1, work, heard)
    gate.set()
    assert heard.first(3) == [Success(1)] * 3


def test_a_repeat_of_a_finished_effect_hears_what_it_came_to(
    runner: EffectRunner[int, int],
) -> None:
    heard = Heard()
    runner.run(1, lambda: 1, heard)
    heard.first(1)
    runner.run(1, raising(AssertionError("twice")), heard)
    assert heard.first(1) == [Success(1)] * 2


def test_concurrent_repeats_do_an_effect_once_and_are_all_told(
    runner: EffectRunner[int, int],
) -> None:
    done, heard = list[int](), Heard()

    def want() -> None:
        for effect in range(100):

            def work(effect: int = effect) -> int:
                done.append(effect)
                return effect

            runner.run(effect, work, heard)

    with switching_every(1e-6):
        together([want] * 4)
        told = heard.first(400)
    assert sorted(done) == list(range(100))
    assert sorted(each.unwrap() for each in told) == sorted(list(range(100)) * 4)


@pytest.mark.parametrize("error", [ValueError("no"), Halt("no")])
def test_a_failure_is_an_outcome_too(runner: EffectRunner[int, int], error: BaseException) -> None:
    heard = Heard()
    runner.run(1, raising(error), heard)
    assert heard.first(1) == [Failure(Faulted(error=repr(error)))]


def test_a_listener_that_raises_keeps_no_other_from_hearing(
    runner: EffectRunner[int, int],
) -> None:
    gate, heard, fail = threading.Event(), Heard(), raising(ValueError("a listener"))

    def work() -> int:
        assert gate.wait(PATIENCE_S)
        return 1

    runner.run(1, work, lambda _: fail())
    runner.run(1, work, heard)
    gate.set()
    assert heard.first(1) == [Success(1)]


def test_of_finished_effects_only_so_many_are_remembered() -> None:
    runner: EffectRunner[int, int] = EffectRunner(threads=1, remembered=2)
    done, heard = list[int](), Heard()

    def want(effect: int) -> None:
        def work() -> int:
            done.append(effect)
            return effect

        runner.run(effect, work, heard)
        heard.first(1)

    for effect in (1, 2, 3, 3, 1, 3):
        want(effect)
    runner.close()
    assert done == [1, 2, 3, 1]
