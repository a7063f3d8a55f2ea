"""Asks that meet an ending actor, and what ending and finding actors costs."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import ClassVar

import pykka
import pytest

from gapless.actors.runtime import (
    ActorSystem,
    AskGone,
    DispatchedActor,
    Dispatcher,
    ManualClock,
    Ref,
    Reply,
    SteppedDispatcher,
    TimedOut,
)
from gapless.actors.runtime.seams import Envelope
from gapless.typings.outcome import Failure
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    end,
    error_of,
    letters_of,
    raising,
    switching_every,
    together,
)


class Stock(pykka.ThreadingActor):
    use_daemon_thread = True  # what hangs in stock must not hang the tests


def ended_stock() -> pykka.ActorRef[Stock]:
    before = set(threading.enumerate())
    ref = Stock.start()
    (thread,) = set(threading.enumerate()) - before
    ref.stop()
    thread.join(PATIENCE_S)
    return ref


@pytest.mark.usefixtures("stock")
def test_stock_never_answers_an_ask_that_comes_after_the_drain() -> None:
    reply: pykka.Future[object] = pykka.ThreadingFuture()
    ended_stock().actor_inbox.put(Envelope[object]("late", reply_to=reply))
    with pytest.raises(pykka.Timeout):
        reply.get(timeout=0.01)


def test_here_an_ask_that_comes_after_the_drain_is_answered(background: Host) -> None:
    class Ours(DispatchedActor):
        dispatcher: ClassVar[Dispatcher | None] = background.dispatcher

    ref = Ours.start()
    ref.stop()
    reply: Reply[object] = Reply()
    ref.actor_inbox.put(Envelope[object]("late", reply_to=reply))
    with pytest.raises(pykka.ActorDeadError):
        reply.get(timeout=PATIENCE_S)


def test_a_tell_that_comes_after_the_drain_is_a_dead_letter(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    ref = system.spawn(Doer)
    end(system, ref)
    late = Do(str)
    ref.mailbox.post(late)  # as a sender does that saw it alive
    assert [letter.message for letter in letters] == [late]


def test_an_ask_of_a_stopped_system_is_answered(host: Host) -> None:
    system = host.system()
    ref = system.spawn(Doer)
    system.stop()
    assert error_of(ref.ask(Give())) == AskGone()


def test_every_ask_that_races_with_an_end_is_answered(background: Host) -> None:
    system = background.system()
    outcomes: list[object] = []
    with switching_every(1e-6):
        for _ in range(30):
            ref = system.spawn(Doer)

            def ask(ref: Ref[Do, Give] = ref) -> None:
                outcomes.append(ref.ask(Give(), timeout_s=PATIENCE_S))

            def halt(ref: Ref[Do, Give] = ref) -> None:
                ref.tell(Do(raising(Halt())))

            together([halt, ask, ask, ask, ask])
    assert len(outcomes) == 120
    assert Failure(TimedOut(seconds=PATIENCE_S)) not in outcomes


class Counted(list["pykka.ActorRef[pykka.Actor]"]):
    """A registry's list that counts what it looks at."""

    looked_at = 0

    def __contains__(self, wanted: object) -> bool:
        return self._place(wanted) is not None

    def remove(self, value: pykka.ActorRef[pykka.Actor], /) -> None:
        self._place(value)
        super().remove(value)

    def __iter__(self) -> Iterator[pykka.ActorRef[pykka.Actor]]:
        for each in super().__iter__():
            self.looked_at += 1
            yield each

    def _place(self, wanted: object) -> int | None:
        for place, each in enumerate(self):
            if each is wanted:
                return place
        return None


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    counted = Counted()
    monkeypatch.setattr(pykka.ActorRegistry, "_actor_refs", counted)
    yield counted
    pykka.ActorRegistry.stop_all()


def cost_of_stopping_stock(registry: Counted, actors: int) -> int:
    for _ in range(actors):
        Stock.start()
    before = registry.looked_at
    pykka.ActorRegistry.stop_all()
    return registry.looked_at - before


def calls_in(act: Callable[[], object]) -> int:
    """Count the calls of any function that this thread makes in doing this."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    usual = sys.getprofile()
    gc.disable()  # it would call finalizers of whatever went before
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(usual)
        gc.enable()
    return calls


def cost_of_stopping_ours(actors: int) -> int:
    system = ActorSystem(SteppedDispatcher(), ManualClock())
    for _ in range(actors):
        system.spawn(Doer)
    return calls_in(system.stop)


@pytest.mark.usefixtures("stock")
def test_stopping_all_of_stock_is_quadratic(registry: Counted) -> None:
    few, many = cost_of_stopping_stock(registry, 20), cost_of_stopping_stock(registry, 80)
    assert many > 4 * 3 * few


def test_stopping_all_here_is_linear(registry: Counted) -> None:
    few, many = cost_of_stopping_ours(20), cost_of_stopping_ours(80)
    assert many <= 4 * few
    assert registry.looked_at == 0


@pytest.mark.usefixtures("stock")
def test_stock_looks_at_every_actor_to_find_one(registry: Counted) -> None:
    refs = [Stock.start() for _ in range(30)]
    before = registry.looked_at
    assert pykka.ActorRegistry.get_by_urn(refs[0].actor_urn) is refs[0]
    assert registry.looked_at - before == 30


def cost_of_one_end(among: int) -> int:
    system = ActorSystem(SteppedDispatcher(), ManualClock())
    refs = [system.spawn(Doer) for _ in range(among)]
    caught_up(refs[-1])
    cost = calls_in(lambda: end(system, refs[0]))
    system.stop()
    return cost


def test_here_an_actor_is_found_among_many_as_among_few(registry: Counted) -> None:
    assert cost_of_one_end(400) <= 2 * cost_of_one_end(20)
    assert registry.looked_at == 0


class Homeless(DispatchedActor):
    """An actor without a dispatcher."""


@pytest.mark.parametrize("kind", [Homeless, Doer])
def test_an_actor_that_could_not_be_started_is_not_waited_for(
    kind: type[DispatchedActor], registry: Counted
) -> None:
    with pytest.raises(TypeError, match="spawn it"):
        kind.start()
    assert len(registry) == 0
