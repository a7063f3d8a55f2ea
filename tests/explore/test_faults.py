"""Each fault shows a mistake that no schedule without one does, and spares what is right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Never

import pytest
from msgspec import Struct
from msgspec.structs import replace

from gapless.actors.runtime import ActorSystem, Answer, Next, Outgoing, Ref, StepActor, to
from gapless.testing import Deliver, Fault, Move, Scenario, Violation, explore, replay
from tests.explore.kit import Network, Office, Post


class Order(Struct, frozen=True, kw_only=True):
    number: int = 1


class Served(Struct, frozen=True, kw_only=True):
    number: int = 1
    well: bool = True


class Overdue(Struct, frozen=True, kw_only=True):
    pass


class Kitchen(StepActor[tuple[int, ...], Order, Never]):
    """Serves what is ordered, and keeps the numbers of what it cooked."""

    def __init__(self, guest: Ref[Served, Never]) -> None:
        super().__init__(())
        self.guest = guest

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: tuple[int, ...], message: Order, /) -> Next[tuple[int, ...]]:
        return Next((*state, message.number), (to(self.guest, Served(number=message.number)),))


class Hasty(Kitchen):
    """Sends while it steps, instead of saying what is to be sent."""

    def step(self, state: tuple[int, ...], message: Order, /) -> Next[tuple[int, ...]]:
        self.guest.tell(Served(number=message.number))
        return Next((*state, message.number))


class Polite(Kitchen):
    """Apologises for what it cannot cook."""

    def parked(
        self, state: tuple[int, ...], message: Order, error: BaseException, /
    ) -> Next[tuple[int, ...]]:
        del error
        return Next(state, (to(self.guest, Served(number=message.number, well=False)),))


class Careful(Kitchen):
    """Cooks each number once."""

    def step(self, state: tuple[int, ...], message: Order, /) -> Next[tuple[int, ...]]:
        following = super().step(state, message)
        return following._replace(state=state) if message.number in state else following


class Evening(Struct, frozen=True, kw_only=True):
    served: int = 0
    orders: int = 0
    left: bool = False
    paid: bool = False


class Guest(StepActor[Evening, Order | Served | Overdue, Never]):
    """Orders and pays; leaves after an hour without food."""

    def __init__(self) -> None:
        super().__init__(Evening())
        self.kitchens: list[Ref[Order, Never]] = []

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: Evening, message: Order | Served | Overdue, /) -> Next[Evening]:
        match message:
            case Order():
                ordered = replace(state, orders=state.orders + 1)
                return Next(ordered, (to(self.kitchens[0], message), self.looks_at_its_watch()))
            case Served():
                return Next(replace(state, served=state.served + 1, paid=True))
            case Overdue():
                return self.overdue(state)

    def looks_at_its_watch(self) -> Outgoing:
        def send() -> bool:
            self.set_timer("hour", 3_600_000, Overdue())
            return True

        return Outgoing(send, Overdue(), "itself")

    def overdue(self, state: Evening) -> Next[Evening]:
        return Next(state if state.served else replace(state, left=True))


class Honest(Guest):
    """Pays for nothing that comes after it left."""

    def step(self, state: Evening, message: Order | Served | Overdue, /) -> Next[Evening]:
        return Next(state) if state.left else super().step(state, message)


class Persistent(Guest):
    """Orders once more instead of leaving."""

    def overdue(self, state: Evening) -> Next[Evening]:
        return super().step(state, Order()) if not state.served else Next(state)


class Dinner(Scenario):
    """A guest, a kitchen, and what a restaurant expects of both."""

    def __init__(
        self,
        kitchen: Callable[[Ref[Served, Never]], Kitchen] = Kitchen,
        guest: Callable[[], Guest] = Guest,
    ) -> None:
        self.guest = guest()
        self._kitchen = kitchen

    def begin(self, system: ActorSystem) -> None:
        self.ref = system.spawn(lambda: self.guest)
        kitchen = system.spawn(self._kitchen, self.ref)
        self.guest.kitchens.append(kitchen)
        self.kitchen = kitchen.mailbox.resident

    def moves(self) -> list[Move]:
        return [Move("hungry", lambda: self.ref.tell(Order()))]

    def losable(self, message: object, /) -> bool:
        return isinstance(message, Order) and self.guest.state.orders == 1


class ServedOnce(Dinner):
    def check(self) -> None:
        assert self.guest.state.served <= 1, "served twice"


class CookedOnce(Dinner):
    def check(self) -> None:
        assert isinstance(self.kitchen, Kitchen)
        assert len(self.kitchen.state) <= 1, "cooked twice"


class NobodyForgotten(Dinner):
    def check_at_rest(self) -> None:
        assert self.guest.state.served or not self.guest.state.orders, "forgotten"


class NobodyPaysForNothing(Dinner):
    def check(self) -> None:
        assert not (self.guest.state.left and self.guest.state.paid), "paid and left"


Pair = tuple[Callable[[Ref[Served, Never]], Kitchen], Callable[[], Guest]]
CASES: list[tuple[Fault, type[Dinner], Pair, Pair]] = [
    (Fault.RAISES_ONCE, ServedOnce, (Hasty, Guest), (Kitchen, Guest)),
    (Fault.RAISES_TWICE, NobodyForgotten, (Kitchen, Guest), (Polite, Persistent)),
    (Fault.DELAYS_OUTBOX, NobodyPaysForNothing, (Kitchen, Guest), (Kitchen, Honest)),
    (Fault.LOSES, NobodyForgotten, (Kitchen, Guest), (Kitchen, Persistent)),
    (Fault.REPEATS, CookedOnce, (Kitchen, Guest), (Careful, Guest)),
]
each_fault = pytest.mark.parametrize(("fault", "dinner", "wrong", "right"), CASES)


@each_fault
def test_the_mistake_is_found_with_its_fault_alone(
    fault: Fault, dinner: type[Dinner], wrong: Pair, right: Pair
) -> None:
    del right
    explore(lambda: dinner(*wrong))
    with pytest.raises(Violation) as found:
        explore(lambda: dinner(*wrong), fault=fault)
    faults = [step.fault for step in found.value.schedule if isinstance(step, Deliver)]
    assert faults.count(fault) == 1
    assert fault.value in str(found.value)


@each_fault
def test_what_is_right_stays_right(
    fault: Fault, dinner: type[Dinner], wrong: Pair, right: Pair
) -> None:
    del wrong
    quiet = explore(lambda: dinner(*right))
    assert explore(lambda: dinner(*right), fault=fault).states > quiet.states
    assert explore(lambda: dinner(*right), fault=fault, faults=0).states == quiet.states


@each_fault
def test_a_violation_with_a_fault_happens_again(
    fault: Fault, dinner: type[Dinner], wrong: Pair, right: Pair
) -> None:
    with pytest.raises(Violation) as found:
        explore(lambda: dinner(*wrong), fault=fault)
    with pytest.raises(Violation) as again:
        replay(lambda: dinner(*wrong), found.value.schedule)
    assert again.value.schedule == found.value.schedule
    # Not all of it: pytest adds to what an assert says, with addresses.
    assert again.value.reason.splitlines()[0] == found.value.reason.splitlines()[0]
    del right


def test_delayed_sends_go_out_in_order_and_before_later_ones() -> None:
    moves = [(0, Post(name="first", route=(1,))), (0, Post(name="second", route=(1,)))]
    scenario = Network(2, moves)
    walk = explore(lambda: scenario, fault=Fault.DELAYS_OUTBOX)
    assert all(taken == sent for taken, sent in scenario.final)
    assert walk.states > explore(lambda: Network(2, moves)).states


def test_delayed_sends_go_out_at_any_time() -> None:
    late: set[tuple[str, ...]] = set()

    class Two(Network):
        def check_at_rest(self) -> None:
            late.add(self.offices[1].state)

    moves = [(0, Post(name="sent", route=(1,))), (1, Post(name="direct"))]
    explore(lambda: Two(2, moves), fault=Fault.DELAYS_OUTBOX)
    assert late == {("sent", "direct"), ("direct", "sent")}


def test_it_happens_so_often_at_most() -> None:
    def most(faults: int) -> int:
        longest: list[int] = []

        class One(Network):
            def check_at_rest(self) -> None:
                longest.append(len(self.offices[0].state))

        explore(lambda: One(1, [(0, Post(name="a"))]), fault=Fault.REPEATS, faults=faults)
        return max(longest)

    assert [most(faults) for faults in range(4)] == [1, 2, 3, 4]


def test_only_what_the_scenario_names_is_lost() -> None:
    class Registered(Network):
        def losable(self, message: object, /) -> bool:
            return isinstance(message, Post) and message.name != "registered"

        def check_at_rest(self) -> None:
            assert "registered" in self.offices[0].state
            super().check_at_rest()

    scenario = Registered(1, [(0, Post(name="registered")), (0, Post(name="plain"))])
    explore(lambda: scenario, fault=Fault.LOSES)
    assert (("registered",),) in scenario.final


def test_a_fault_says_nothing_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    explore(Dinner, fault=Fault.RAISES_ONCE)
    explore(Dinner, fault=Fault.RAISES_TWICE)
    assert not caplog.records


def itself(scenario: Network) -> Network:
    return scenario


def test_a_timer_that_rang_can_be_lost_and_repeated() -> None:
    finals: dict[Fault, set[tuple[tuple[str, ...], ...]]] = {}
    for fault in (Fault.LOSES, Fault.REPEATS):
        scenario = Network(1, [(0, Post(name="a", late_ms=5))])
        explore(partial(itself, scenario), fault=fault)
        finals[fault] = scenario.final
    assert finals[Fault.LOSES] == {((),), (("a",),), (("a", "a'"),)}
    assert (("a", "a'", "a'"),) in finals[Fault.REPEATS]


def test_what_is_still_to_be_sent_is_part_of_the_state() -> None:
    """Also where nobody minds what is sent, so that nothing else tells the states apart."""

    class Deaf(Office):
        def step(self, state: tuple[str, ...], message: Post, /) -> Next[tuple[str, ...]]:
            del message
            return Next(state)

    class Unheard(Network):
        def __init__(self) -> None:
            super().__init__(2, [(0, Post(name="a", route=(1,)))])
            self.offices[1] = Deaf()

    walk = explore(Unheard, fault=Fault.DELAYS_OUTBOX)
    assert (walk.interleavings, walk.rests) == (2, 2)
