"""The dispatcher on an event loop that it shares with everybody else."""

from __future__ import annotations

import asyncio
import threading

import pytest

from gapless.actors.runtime import (
    ActorGone,
    ActorSystem,
    AskFailure,
    AskGone,
    BlockedDispatcherError,
    LoopDispatcher,
    ManualClock,
)
from gapless.typings.outcome import Outcome, Success
from tests.runtime.kit import PATIENCE_S, Do, Doer, Give, error_of, letters_of


def test_a_coroutine_asks_actors_of_its_own_loop() -> None:
    async def main() -> object:
        system = ActorSystem(LoopDispatcher(), ManualClock())
        outcome = await system.spawn(Doer).ask_async(Give(lambda: 1))
        assert await asyncio.to_thread(system.stop)
        return outcome

    assert asyncio.run(main()) == Success(1)


def test_actors_run_on_the_thread_of_the_loop() -> None:
    async def main() -> object:
        system = ActorSystem(LoopDispatcher(), ManualClock())
        outcome = await system.spawn(Doer).ask_async(Give(threading.get_ident))
        return outcome.unwrap()

    assert asyncio.run(main()) == threading.get_ident()


def test_blocking_the_loop_on_its_own_actor_is_refused() -> None:
    async def main() -> None:
        system = ActorSystem(LoopDispatcher(), ManualClock())
        ref = system.spawn(Doer)
        await ref.ask_async(Give())
        ref.ask_later(Give()).get()

    with pytest.raises(BlockedDispatcherError, match="await it"):
        asyncio.run(main())


def test_an_actor_that_keeps_itself_busy_does_not_keep_the_loop() -> None:
    async def main() -> None:
        ref = ActorSystem(LoopDispatcher(), ManualClock()).spawn(Doer)
        over: list[bool] = []

        def again() -> None:
            if not over:
                ref.tell(Do(again))

        ref.tell(Do(again))
        for _ in range(20):
            await asyncio.sleep(0)
        over.append(True)

    asyncio.run(main())


def test_many_messages_at_once_are_one_callback() -> None:
    scheduled: list[object] = []

    class Counting(asyncio.SelectorEventLoop):
        def call_soon_threadsafe(self, *args: object, **_: object) -> asyncio.Handle:
            scheduled.append(args)
            return super().call_soon(str)

    loop = Counting()
    system = ActorSystem(LoopDispatcher(loop), ManualClock())
    for _ in range(10):
        ref = system.spawn(Doer)
        for _ in range(10):
            ref.tell(Do(str))
    loop.close()
    assert len(scheduled) == 1


def test_what_waited_when_the_loop_was_closed_comes_back_when_anybody_asks() -> None:
    loop = asyncio.new_event_loop()
    system = ActorSystem(LoopDispatcher(loop), ManualClock())
    letters = letters_of(system)
    ref = system.spawn(Doer)
    waiting = Do(str)
    assert isinstance(ref.tell(waiting), Success)
    loop.close()
    assert error_of(ref.ask(Give())) == AskGone()
    assert [letter.message for letter in letters] == [waiting]
    assert error_of(ref.tell(waiting)) == ActorGone(message=waiting)
    assert system.stop()


def test_a_system_stops_at_once_though_its_loop_was_closed_under_it() -> None:
    loop = asyncio.new_event_loop()
    system = ActorSystem(LoopDispatcher(loop), ManualClock())
    refs = [system.spawn(Doer) for _ in range(3)]
    loop.close()
    assert system.stop(timeout_s=PATIENCE_S)
    assert [error_of(ref.ask(Give())) for ref in refs] == [AskGone()] * 3


def test_an_actor_that_ended_answers_when_its_loop_is_long_closed() -> None:
    async def main() -> Outcome[object, AskFailure]:
        system = ActorSystem(LoopDispatcher(), ManualClock())
        ref = system.spawn(Doer)
        await asyncio.to_thread(system.stop)
        return ref.ask(Give())

    outcome = asyncio.run(main())
    assert error_of(outcome) == AskGone()
