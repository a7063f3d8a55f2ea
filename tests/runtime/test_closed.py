"""Dispatchers that are closed under their actors: whatever comes then goes back to its sender."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import pytest

from gapless.actors.runtime import (
    ActorGone,
    ActorSystem,
    AskGone,
    Dispatcher,
    HybridDispatcher,
    ManualClock,
    Ref,
    SteppedDispatcher,
)
from gapless.typings.outcome import Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Host,
    caught_up,
    error_of,
    letters_of,
    switching_every,
    together,
)

Make: TypeAlias = Callable[[], Dispatcher]


def same(actor: Doer) -> Doer:
    return actor


def test_what_is_sent_after_the_close_comes_back(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    ref, late = system.spawn(Doer), Do(str)
    caught_up(ref)
    host.dispatcher.close()
    ref.tell(late)
    assert error_of(ref.ask(Give())) == AskGone()
    assert [letter.message for letter in letters] == [late]
    assert error_of(ref.tell(late)) == ActorGone(message=late)
    assert system.alive == 0


def test_what_is_spawned_after_the_close_ends_at_once(host: Host) -> None:
    system, ended = host.system(), threading.Event()
    host.dispatcher.close()
    system.spawn(Doer).when_ended(ended.set)
    assert ended.is_set()


def test_what_waited_at_the_close_of_a_stepped_one_comes_back() -> None:
    system = ActorSystem(SteppedDispatcher(), ManualClock())
    letters = letters_of(system)
    waiting = Do(str)
    ref = system.spawn(Doer)
    ref.tell(waiting)
    system.dispatcher.close()
    assert [letter.message for letter in letters] == [waiting]
    assert error_of(ref.ask(Give())) == AskGone()


@pytest.mark.parametrize("make", [HybridDispatcher, SteppedDispatcher])
def test_a_long_chain_of_watchers_comes_down_without_a_deep_stack(make: Make) -> None:
    system = ActorSystem(make(), ManualClock())
    chain: list[Ref[Do, Give]] = []
    for _ in range(2_000):
        actor = Doer()
        ref = system.spawn(partial(same, actor))
        if isinstance(system.dispatcher, SteppedDispatcher):
            system.dispatcher.run()
        else:
            caught_up(ref)
        if chain:
            actor.watch(chain[-1], Do(str))
        chain.append(ref)
    system.dispatcher.close()
    chain[0].tell(Do(str))
    assert system.alive == 0


def test_of_sends_that_race_the_close_each_is_handled_or_comes_back() -> None:
    with switching_every(1e-6):
        for _ in range(100):
            system = ActorSystem(HybridDispatcher(), ManualClock())
            letters, done = letters_of(system), list[int]()
            refs = [system.spawn(Doer) for _ in range(4)]
            refused: list[object] = []

            def send(
                ref: Ref[Do, Give], done: list[int] = done, refused: list[object] = refused
            ) -> None:
                for _ in range(10):
                    outcome = ref.tell(Do(lambda: done.append(1)))
                    if not isinstance(outcome, Success):
                        refused.append(outcome)

            sends = [partial(send, ref) for ref in refs]
            together([*sends, system.dispatcher.close])
            for ref in refs:
                assert error_of(ref.ask(Give(), timeout_s=PATIENCE_S)) == AskGone()
            assert len(done) + len(letters) + len(refused) == 40
