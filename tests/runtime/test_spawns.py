"""Spawns that fail, and stops that cannot wait: what is left behind is gone, and said to be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from gapless.actors.runtime import (
    ActorGone,
    ActorSystem,
    AskGone,
    CommandActor,
    EffectRunner,
    Faulted,
    HybridDispatcher,
    LoopDispatcher,
    ManualClock,
    Ref,
    SteppedDispatcher,
    SystemClock,
)
from gapless.actors.runtime.dispatch import Runnable
from gapless.typings.outcome import Failure, Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Host,
    caught_up,
    error_of,
    letters_of,
    raising,
)


class Leaky(Doer):
    """Gives itself away as it is made, then does something."""

    def __init__(self, out: list[Ref[Do, Give]], then: Callable[[], object] = str) -> None:
        super().__init__()
        out.append(self.me)
        then()


def no_thread(_: threading.Thread) -> None:
    raise RuntimeError("no thread")  # noqa: EM101 - as threading says it


class Refusing:
    """A dispatcher that takes no mailbox."""

    def submit(self, mailbox: Runnable, /) -> None:
        del mailbox
        raise RuntimeError

    def lend(self, done: Callable[[], bool], /) -> None: ...

    def close(self, *, wait: bool = True) -> None: ...


def is_gone(system: ActorSystem, ref: Ref[Do, Give]) -> None:
    ended, late = threading.Event(), Do(str)
    ref.when_ended(ended.set)
    assert ended.is_set()
    assert error_of(ref.tell(late)) == ActorGone(message=late)
    assert error_of(ref.ask(Give())) == AskGone()
    assert system.alive == 0


def test_what_a_constructor_gave_away_before_it_raised_is_gone(host: Host) -> None:
    system, out, early = host.system(), list[Ref[Do, Give]](), Do(str)
    letters = letters_of(system)
    ended = threading.Event()

    def use_and_raise() -> None:
        out[0].tell(early)
        out[0].when_ended(ended.set)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        system.spawn(Leaky, out, use_and_raise)
    assert ended.is_set()
    assert [(letter.actor, letter.message) for letter in letters] == [("Leaky", early)]
    is_gone(system, out[0])


def test_what_is_spawned_in_a_stopped_system_is_gone(host: Host) -> None:
    system, out, begun = host.system(), list[Ref[Do, Give]](), list[int]()
    system.stop()

    class Starting(Leaky):
        def on_start(self) -> None:
            begun.append(1)

    with pytest.raises(RuntimeError, match="has stopped"):
        system.spawn(Starting, out)
    is_gone(system, out[0])
    assert begun == []


def test_what_no_dispatcher_took_is_gone() -> None:
    system, out = ActorSystem(Refusing(), ManualClock()), list[Ref[Do, Give]]()
    with pytest.raises(RuntimeError):
        system.spawn(Leaky, out)
    is_gone(system, out[0])


def test_without_a_thread_a_spawn_fails_and_the_actor_never_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, out, begun = ActorSystem(clock=ManualClock()), list[Ref[Do, Give]](), list[int]()

    class Starting(Leaky):
        def on_start(self) -> None:
            begun.append(1)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        with pytest.raises(RuntimeError, match="no thread"):
            system.spawn(Starting, out)
    is_gone(system, out[0])
    caught_up(system.spawn(Doer))
    assert begun == []
    assert system.stop()


def test_an_actor_is_spawned_once(host: Host) -> None:
    system, actor = host.system(), Doer()
    ref = system.spawn(lambda: actor)
    with pytest.raises(RuntimeError, match="spawned before"):
        system.spawn(lambda: actor)
    assert ref.ask(Give(lambda: 1)) == Success(1)


def test_a_timer_in_a_constructor_is_told_where_it_belongs() -> None:
    class Hasty(CommandActor[Do]):
        def __init__(self) -> None:
            super().__init__()
            self.set_timer("k", 1, Do(str))

        def on_tell(self, message: Do, /) -> None: ...

    with ActorSystem() as system, pytest.raises(RuntimeError, match="in on_start"):
        system.spawn(Hasty)


class Broken(Doer, machinery=True):
    def ended(self) -> None:
        raise ValueError


def test_a_hook_that_raises_at_the_end_keeps_no_system_from_stopping(host: Host) -> None:
    system = host.system()
    system.spawn(Broken)
    assert system.stop(timeout_s=PATIENCE_S)
    assert system.alive == 0


def test_two_handlers_can_stop_their_system_at_once() -> None:
    system = ActorSystem(HybridDispatcher(), SystemClock())
    helper, first, second = (system.spawn(Doer) for _ in range(3))
    ended, said = [threading.Event(), threading.Event()], list[bool]()
    inside, gate = threading.Event(), threading.Event()
    first.when_ended(ended[0].set)
    second.when_ended(ended[1].set)

    def stop() -> None:
        said.append(system.stop(timeout_s=PATIENCE_S))

    def stop_once_the_other_is_inside() -> None:
        helper.ask(Give(lambda: inside.wait(PATIENCE_S)), timeout_s=PATIENCE_S)
        stop()

    def stop_too() -> None:
        inside.set()
        helper.ask(Give(gate.set), timeout_s=PATIENCE_S)  # lets the first one go on
        stop()

    first.tell(Do(stop_once_the_other_is_inside))
    second.tell(Do(stop_too))
    assert all(each.wait(PATIENCE_S) for each in ended)
    assert len(said) == 2
    assert not all(said)
    assert system.alive == 0


def test_a_handler_on_a_loop_can_stop_its_system() -> None:
    async def host() -> list[object]:
        system = ActorSystem(LoopDispatcher(), ManualClock())
        ended, said = asyncio.Event(), list[object]()
        refs = [system.spawn(Doer) for _ in range(3)]
        for ref in refs[:-1]:
            ref.tell(Do(lambda: said.append("handled")))
        refs[-1].when_ended(ended.set)
        refs[-1].tell(Do(lambda: said.append(system.stop())))
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
        assert all([isinstance(await ref.ask_async(Give()), Failure) for ref in refs])
        assert system.alive == 0
        return said

    assert sorted(map(str, asyncio.run(host()))) == ["False", "handled", "handled"]


def test_what_waits_when_a_loop_is_closed_comes_back_at_once() -> None:
    loop = asyncio.new_event_loop()
    system = ActorSystem(LoopDispatcher(loop), ManualClock())
    letters, ended = letters_of(system), threading.Event()
    ref, waiting = system.spawn(Doer), Do(str)
    ref.when_ended(ended.set)
    ref.tell(waiting)
    loop.close()
    assert ended.is_set()
    assert [letter.message for letter in letters] == [waiting]
    assert system.alive == 0


def test_a_loop_may_be_run_by_another_thread_than_its_dispatcher_was_made_on() -> None:
    loop = asyncio.new_event_loop()

    async def make() -> ActorSystem:
        return ActorSystem(LoopDispatcher(), ManualClock())

    system = loop.run_until_complete(make())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    ref = system.spawn(Doer)
    assert ref.ask(Give(threading.get_ident), timeout_s=PATIENCE_S) == Success(thread.ident)
    assert system.stop()
    loop.call_soon_threadsafe(loop.stop)
    thread.join(PATIENCE_S)
    loop.close()


def test_an_ask_on_a_loop_that_was_named_is_refused_from_the_first_moment_on() -> None:
    async def host() -> str:
        async with ActorSystem(LoopDispatcher(asyncio.get_running_loop())) as system:
            return type(error_of(system.spawn(Doer).ask(Give()))).__name__

    assert asyncio.run(host()) == "WouldBlock"


CLOSED = Failure(Faulted(error="the runner is closed"))


@pytest.mark.parametrize("listener", [False, True])
def test_an_effect_or_its_listener_may_close_the_runner(*, listener: bool) -> None:
    runner: EffectRunner[int, int] = EffectRunner(threads=1)
    gate, told, over = threading.Event(), list[object](), threading.Event()

    def work() -> int:
        assert gate.wait(PATIENCE_S)
        if not listener:
            runner.close()
        return 1

    def then(outcome: object) -> None:
        if listener:
            runner.close()
        told.append(outcome)
        over.set()

    runner.run(1, work, then)
    runner.run(2, lambda: 2, told.append)
    gate.set()
    assert over.wait(PATIENCE_S)
    assert told == [CLOSED, Success(1)]


class Id:
    def __init__(self) -> None:
        self.hashed: Callable[[], int] = lambda: 1

    def __hash__(self) -> int:
        return self.hashed()

    def __eq__(self, other: object) -> bool:
        return self is other


@pytest.mark.parametrize("hashed", [lambda: 2, raising(MemoryError())])
def test_an_id_that_breaks_costs_nobody_an_outcome(hashed: Callable[[], int]) -> None:
    runner: EffectRunner[Id, int] = EffectRunner(threads=1, remembered=1)
    heard, came, broken = list[object](), threading.Semaphore(0), Id()

    def hear(outcome: object) -> None:
        heard.append(outcome)
        came.release()

    def work() -> int:
        broken.hashed = hashed
        return 1

    runner.run(broken, work, hear)
    assert came.acquire(timeout=PATIENCE_S)
    for _ in range(3):  # of which each makes the runner forget the one before
        runner.run(Id(), lambda: 2, hear)
        assert came.acquire(timeout=PATIENCE_S)
    assert heard == [Success(1), *[Success(2)] * 3]
    runner.close()


def test_an_id_that_cannot_be_hashed_fails_for_its_caller() -> None:
    runner: EffectRunner[Id, int] = EffectRunner()
    heard, bad = list[object](), Id()
    bad.hashed = raising(MemoryError("no"))
    runner.run(bad, lambda: 1, heard.append)
    assert heard == [Failure(Faulted(error="MemoryError('no')"))]
    runner.close()


def test_without_a_thread_an_effect_fails_and_can_be_done_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runner: EffectRunner[int, int] = EffectRunner(threads=1)
    heard, done, came = list[object](), list[int](), threading.Event()

    def work() -> int:
        done.append(1)
        return 1

    def hear(outcome: object) -> None:
        heard.append(outcome)
        came.set()

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        runner.run(1, work, heard.append)
    assert heard == [Failure(Faulted(error="RuntimeError('no thread')"))]
    runner.run(1, work, hear)
    assert came.wait(PATIENCE_S)
    assert heard[1:] == [Success(1)]
    assert done == [1]
    runner.close()


def test_a_stop_that_cannot_wait_is_told_so_by_a_stepped_system_too() -> None:
    dispatcher = SteppedDispatcher()
    system = ActorSystem(dispatcher, ManualClock())
    ref = system.spawn(Doer)
    ref.tell(Do(system.stop))
    dispatcher.run()
    assert system.alive == 0
