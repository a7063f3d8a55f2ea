"""Telling and asking: what comes back, and in what shape."""

from __future__ import annotations

import asyncio
import threading
from typing import Never, cast

import pykka
import pytest

from gapless.actors.runtime import (
    ActorGone,
    ActorSystem,
    Answer,
    AskGone,
    BlockedDispatcherError,
    Faulted,
    ManualClock,
    Reply,
    SteppedDispatcher,
    TimedOut,
    WouldBlock,
)
from gapless.actors.runtime.waiting import HERE, Owed
from gapless.typings.outcome import Failure, Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Host,
    caught_up,
    end,
    error_of,
    raising,
    value_of,
)


def test_a_command_for_a_stopped_actor_comes_back_itself(host: Host) -> None:
    system = host.system()
    ref = system.spawn(Doer)
    end(system, ref)
    command = Do(str)
    outcome = ref.tell(command)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), ActorGone)
    assert outcome.failure().message is command


def test_an_answer_comes_as_a_success(host: Host) -> None:
    assert host.system().spawn(Doer).ask(Give(lambda: 42)) == Success(42)


def test_a_handler_that_raises_faults_the_ask_and_lives(host: Host) -> None:
    ref = host.system().spawn(Doer)
    assert error_of(ref.ask(Give(raising(ValueError("no"))))) == Faulted(error="ValueError('no')")
    assert value_of(ref.ask(Give(lambda: 1))) == 1


@pytest.mark.parametrize("error", [pykka.Timeout("inner"), BlockedDispatcherError("inner")])
def test_what_the_handler_raises_is_a_fault_even_if_waiting_raises_it_too(
    host: Host, error: BaseException
) -> None:
    ref = host.system().spawn(Doer)
    assert error_of(ref.ask(Give(raising(error)))) == Faulted(error=repr(error))


def test_no_answer_in_time_is_a_timeout(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)
    outcome = ref.ask(Give(lambda: gate.wait(PATIENCE_S)), timeout_s=0.01)
    gate.set()
    assert error_of(outcome) == TimedOut(seconds=0.01)


def test_no_answer_in_time_is_a_timeout_for_a_coroutine_too(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)
    outcome = asyncio.run(ref.ask_async(Give(lambda: gate.wait(PATIENCE_S)), timeout_s=0.01))
    gate.set()
    assert error_of(outcome) == TimedOut(seconds=0.01)


def test_an_answer_for_a_loop_that_is_closed_falls_to_the_floor(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)
    asyncio.run(ref.ask_async(Give(lambda: gate.wait(PATIENCE_S)), timeout_s=0.01))
    gate.set()
    caught_up(ref)


def test_an_awaited_answer_for_a_loop_that_is_closed_falls_to_the_floor(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)
    reply = ref.ask_later(Give(lambda: gate.wait(PATIENCE_S)))

    async def give_up() -> None:
        async def wait() -> None:
            await reply

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(give_up())
    gate.set()
    caught_up(ref)


def test_a_coroutine_is_told_what_a_thread_is(background: Host) -> None:
    system = background.system()
    ref, gone = system.spawn(Doer), system.spawn(Doer)
    end(system, gone)
    assert asyncio.run(ref.ask_async(Give(lambda: 1))) == Success(1)
    fault = asyncio.run(ref.ask_async(Give(raising(ValueError()))))
    assert error_of(fault) == Faulted(error="ValueError()")
    assert error_of(asyncio.run(gone.ask_async(Give()))) == AskGone()


def test_an_ask_that_nobody_could_answer_would_block() -> None:
    elsewhere = SteppedDispatcher()
    elsewhere.driver = 0  # no thread at all
    here = ActorSystem(SteppedDispatcher(), ManualClock())
    other = ActorSystem(elsewhere, ManualClock()).spawn(Doer)
    asked = here.spawn(Doer).ask(Give(lambda: error_of(other.ask(Give()))))
    assert isinstance(value_of(asked), WouldBlock)


class Liar(Doer):
    """Answers another query than it was asked."""

    def on_ask(self, query: Give, /) -> Answer:
        other = Give(lambda: "other")
        del query
        return other.answer(1)


def test_a_foreign_answer_is_a_fault_and_the_actor_lives(host: Host) -> None:
    ref = host.system().spawn(Liar)
    for _ in range(2):
        failure = error_of(ref.ask(Give()))
        assert isinstance(failure, Faulted)
        assert "ForeignAnswerError" in failure.error


def test_an_answer_is_made_by_a_query_alone() -> None:
    with pytest.raises(TypeError, match="query"):
        Answer(cast("Never", 1))


def test_refs_are_equal_if_they_lead_to_the_same_actor(host: Host) -> None:
    system = host.system()
    actor = Doer()
    ref = system.spawn(lambda: actor)
    assert ref == actor.me
    assert {ref: 1}[actor.me] == 1
    assert ref != system.spawn(Doer)
    assert ref != "a ref"


def test_an_answer_that_was_given_twice_harms_nobody_but_the_giver(host: Host) -> None:
    ref = host.system().spawn(Doer)
    replies: list[Reply[object]] = []
    asked = threading.Event()

    def interfere() -> None:
        replies[0].set("first")

    def ask() -> None:
        replies.append(ref.ask_later(Give(interfere)))
        asked.set()

    ref.tell(Do(ask))
    assert host.until(asked)
    assert replies[0].get(timeout=PATIENCE_S) == "first"
    caught_up(ref)


def test_a_callback_that_raises_keeps_neither_the_actor_nor_other_callbacks(host: Host) -> None:
    ref = host.system().spawn(Doer)
    told = threading.Event()

    def ask_later() -> None:
        reply = ref.ask_later(Give())
        reply.when_done(raising(ValueError("a callback")))
        reply.when_done(told.set)

    ref.tell(Do(ask_later))
    assert host.until(told)
    assert value_of(ref.ask(Give(lambda: 1))) == 1


class Moving:
    """An actor that answers, and asks back, in the moment in which its asker looks at it."""

    lends = None

    def __init__(self, reply: Reply[object]) -> None:
        self.waits_for: Owed | None = None
        self._reply = reply
        self._back: Reply[object] = Reply()

    @property
    def name(self) -> str:
        if not self._reply.done:
            self._reply.set("in time")
            self._back.owed_by = HERE.mailbox
            self.waits_for = self._back
        return "Moving"


def test_an_answer_that_comes_while_the_asker_looks_for_a_circle_is_no_circle(host: Host) -> None:
    reply: Reply[object] = Reply()
    reply.owed_by = Moving(reply)
    ref = host.system().spawn(Doer)
    assert value_of(ref.ask(Give(lambda: reply.get(timeout=0)))) == "in time"


def test_who_waits_for_a_value_hears_of_a_hook_that_computes_it() -> None:
    reply: Reply[int] = Reply()
    heard: list[int] = []
    waiter = threading.Thread(target=lambda: heard.append(reply.get(timeout=PATIENCE_S)))
    waiter.start()
    reply.set_get_hook(lambda _: 42)
    waiter.join(PATIENCE_S)
    assert heard == [42]


def test_a_coroutine_that_awaits_a_value_hears_of_a_hook_that_computes_it() -> None:
    async def main() -> int:
        reply: Reply[int] = Reply()
        asyncio.get_running_loop().call_soon(lambda: reply.set_get_hook(lambda _: 42))
        return await asyncio.wait_for(reply, PATIENCE_S)

    assert asyncio.run(main()) == 42
