"""What is wrong with stock pykka for a host of many, shown there, and not so here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pykka
import pytest

from gapless.actors.runtime import AskFailure, AskGone, Cyclic, Faulted, WouldBlock
from gapless.typings.outcome import Failure, Outcome, Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    error_of,
    raising,
    value_of,
)


class Stock(pykka.ThreadingActor):
    use_daemon_thread = True  # what hangs in stock must not hang the tests

    def on_receive(self, message: Callable[[], object]) -> object:
        return message()


def ask(ref: pykka.ActorRef[Stock], act: Callable[[], object]) -> pykka.Future[object]:
    return ref.ask(act, block=False)


@pytest.mark.usefixtures("stock")
def test_stock_stops_every_actor_when_one_raises_a_base_exception() -> None:
    victim, bystander = Stock.start(), Stock.start()
    answer = ask(victim, raising(Halt()))
    assert bystander.actor_stopped.wait(PATIENCE_S)
    with pytest.raises(pykka.Timeout):  # and whoever asked is never told
        answer.get(timeout=0.01)


@pytest.mark.parametrize("error", [Halt(), SystemExit(1), KeyboardInterrupt(), ValueError()])
def test_here_one_actor_fails_and_the_others_answer(host: Host, error: BaseException) -> None:
    system = host.system()
    victim, bystander = system.spawn(Doer), system.spawn(Doer)
    victim.tell(Do(raising(error)))
    assert value_of(bystander.ask(Give(lambda: 1))) == 1
    assert error_of(victim.ask(Give())) == AskGone()


def test_here_the_asker_of_a_base_exception_is_answered(host: Host) -> None:
    victim = host.system().spawn(Doer)
    assert error_of(victim.ask(Give(raising(Halt("no"))))) == Faulted(error="Halt('no')")


async def beside(pending: Awaitable[object], gate: threading.Event) -> object:
    """Wait for an answer, while another coroutine opens the gate that the answer waits for."""

    async def another() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        gate.set()

    other = asyncio.create_task(another())
    answer = await pending
    await other
    return answer


@pytest.mark.usefixtures("stock")
def test_stock_blocks_the_loop_in_an_await() -> None:
    gate = threading.Event()
    answer = ask(Stock.start(), lambda: gate.wait(0.1))
    assert not asyncio.run(beside(answer, gate))


def test_here_an_await_lets_others_run(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)
    assert asyncio.run(beside(ref.ask_later(Give(lambda: gate.wait(PATIENCE_S))), gate))


def test_here_an_asynchronous_ask_lets_others_run(background: Host) -> None:
    gate = threading.Event()
    ref = background.system().spawn(Doer)

    async def main() -> object:
        pending = ref.ask_async(Give(lambda: gate.wait(PATIENCE_S)), timeout_s=PATIENCE_S)
        return await beside(pending, gate)

    assert asyncio.run(main()) == Success(True)  # noqa: FBT003


@pytest.mark.usefixtures("stock")
def test_stock_hangs_when_an_actor_asks_itself() -> None:
    ref = Stock.start()
    with pytest.raises(pykka.Timeout):
        ask(ref, lambda: ask(ref, str).get(timeout=0.01)).get(timeout=PATIENCE_S)


def test_here_an_actor_that_asks_itself_is_told_of_the_cycle(host: Host) -> None:
    ref = host.system().spawn(Doer)
    refused = value_of(ref.ask(Give(lambda: ref.ask(Give()))))
    assert refused == Failure(Cyclic(actors=("Doer", "Doer")))


@pytest.mark.usefixtures("stock")
def test_stock_hangs_when_asks_go_round_in_a_circle() -> None:
    a, b, c = Stock.start(), Stock.start(), Stock.start()

    def last() -> object:
        return ask(a, str).get(timeout=0.01)

    with pytest.raises(pykka.Timeout):
        ask(a, lambda: ask(b, lambda: ask(c, last).get()).get()).get(timeout=PATIENCE_S)


class A(Doer): ...


class B(Doer): ...


class C(Doer): ...


def test_here_whoever_would_close_a_circle_is_told_who_waits_for_whom(host: Host) -> None:
    system = host.system()
    a, b, c = system.spawn(A), system.spawn(B), system.spawn(C)
    said: list[object] = []

    def note(outcome: Outcome[object, AskFailure]) -> None:
        if not isinstance(outcome, Success):
            said.append(outcome.failure())

    def last() -> None:
        note(a.ask(Give()))

    def middle() -> None:
        note(c.ask(Give(last)))

    value_of(a.ask(Give(lambda: note(b.ask(Give(middle))))))
    if host.kind == "loop":  # nobody may block it at all
        assert {type(failure) for failure in said} == {WouldBlock}
    else:
        assert said == [Cyclic(actors=("C", "A", "B", "C"))]


def test_here_a_circle_of_which_one_has_been_answered_is_none(host: Host) -> None:
    system = host.system()
    a, b = system.spawn(A), system.spawn(B)
    first = b.ask_later(Give(lambda: 1))
    caught_up(b)
    second = a.ask_later(Give(lambda: first.get(timeout=PATIENCE_S)))
    assert value_of(a.ask(Give(lambda: 2))) == 2
    assert second.get(timeout=PATIENCE_S) == 1
