"""One actor's fault, however odd, stays its own: the others, and the system, go on."""

from __future__ import annotations

import asyncio
import threading

import pytest

from gapless.actors.runtime import (
    ActorSystem,
    EffectRunner,
    Faulted,
    HybridDispatcher,
    LoopDispatcher,
    SystemClock,
    TimedOut,
    WouldBlock,
)
from gapless.typings.outcome import Failure, Success
from tests.runtime.kit import PATIENCE_S, Do, Doer, Give, Host, raising


class UnshowableError(Exception):
    def __repr__(self) -> str:
        raise ValueError


class Nameless(Doer):
    def __str__(self) -> str:
        raise ValueError


def test_a_failure_that_cannot_be_shown_ends_one_actor_alone(host: Host) -> None:
    system = host.system()
    ref, other = system.spawn(Doer), system.spawn(Doer)
    ref.tell(Do(raising(UnshowableError())))
    assert other.ask(Give(lambda: 1)) == Success(1)


def test_a_query_that_fails_so_is_answered_all_the_same(host: Host) -> None:
    ref = host.system().spawn(Doer)
    shown = "<UnshowableError, which cannot be shown>"
    assert ref.ask(Give(raising(UnshowableError()))) == Failure(Faulted(error=shown))


def test_an_actor_that_cannot_be_named_ends_alone(host: Host) -> None:
    system = host.system()
    ref, other, ended = system.spawn(Nameless), system.spawn(Doer), threading.Event()
    ref.when_ended(ended.set)
    ref.tell(Do(raising(RuntimeError())))
    assert host.until(ended)
    assert other.ask(Give(lambda: 1)) == Success(1)


def test_a_typed_actor_is_not_started_as_pykka_starts_one() -> None:
    with pytest.raises(TypeError, match=r"spawn it with ActorSystem\.spawn"):
        Doer.start()


def test_nothing_is_spawned_in_a_system_that_has_stopped(host: Host) -> None:
    system = host.system()
    system.stop()
    with pytest.raises(RuntimeError, match="the system has stopped"):
        system.spawn(Doer)


def test_a_handler_can_stop_its_own_system(background: Host) -> None:
    system = background.system(SystemClock())
    other, ended = system.spawn(Doer), threading.Event()
    if background.kind == "hybrid":  # on the others it would block what must go on
        other.when_ended(ended.set)
        system.spawn(Doer).tell(Do(system.stop))
        assert ended.wait(PATIENCE_S)


def test_a_subscriber_to_dead_letters_can_stop_the_system() -> None:
    system = ActorSystem()
    ref, stopped = system.spawn(Doer), threading.Event()

    def stop(letter: object) -> None:
        del letter
        system.stop(timeout_s=0)
        stopped.set()

    system.dead_letters.subscribe(stop)
    ref.tell(Do(raising(RuntimeError())))
    assert stopped.wait(PATIENCE_S)


def test_a_timer_of_the_far_future_keeps_no_other_from_firing() -> None:
    with ActorSystem() as system:
        fired = threading.Event()
        system.timers.set("far", 10**14, lambda: None)
        system.timers.set("fatal", 0, raising(SystemExit()))
        system.timers.set("near", 1, fired.set)
        assert fired.wait(PATIENCE_S)


@pytest.mark.parametrize("timeout_s", [-1, -0.5, 0])
def test_a_deadline_that_is_over_is_not_waited_for(timeout_s: float) -> None:
    gate = threading.Event()
    with ActorSystem() as system:
        ref = system.spawn(Doer)
        ref.tell(Do(lambda: gate.wait(PATIENCE_S)))
        assert ref.ask(Give(), timeout_s=timeout_s) == Failure(TimedOut(seconds=timeout_s))
        gate.set()


def test_an_ask_on_the_loop_itself_is_refused_from_the_first_moment_on() -> None:
    async def host() -> None:
        async with ActorSystem(LoopDispatcher()) as system:
            outcome = system.spawn(Doer).ask(Give())
            assert isinstance(outcome, Failure)
            assert isinstance(outcome.failure(), WouldBlock)

    asyncio.run(host())


def test_two_dispatchers_can_wait_for_each_other() -> None:
    with ActorSystem(HybridDispatcher()) as one, ActorSystem(HybridDispatcher()) as two:
        last, there = one.spawn(Doer), two.spawn(Doer)
        first = one.spawn(Doer)
        outcome = first.ask(Give(lambda: there.ask(Give(lambda: last.ask(Give(lambda: 1))))))
        assert outcome == Success(Success(Success(1)))


def test_an_effect_that_never_began_fails_when_its_runner_is_closed() -> None:
    runner: EffectRunner[int, int] = EffectRunner(threads=1)
    begun, gate, heard = threading.Event(), threading.Event(), list[object]()

    def wait() -> int:
        begun.set()
        gate.wait(PATIENCE_S)
        return 1

    runner.run(1, wait, heard.append)
    assert begun.wait(PATIENCE_S)
    runner.run(2, lambda: 2, heard.append)
    closing = threading.Thread(target=runner.close)
    closing.start()
    gate.set()
    closing.join(PATIENCE_S)
    runner.run(3, lambda: 3, heard.append)
    refused = Failure(Faulted(error="the runner is closed"))
    assert heard[-1] == refused
    assert len(heard) == 3


@pytest.mark.parametrize("name", ["take", "answer", "began", "ended", "undertaker", "mailbox"])
def test_a_class_that_would_replace_the_machinery_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} would replace"):
        type("Careless", (Doer,), {name: lambda: None})
