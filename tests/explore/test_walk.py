"""What a walk says, and what it finds."""

from __future__ import annotations

from typing import ClassVar, Never

import pytest
from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    DeadLetter,
    Next,
    StepActor,
    to,
)
from gapless.testing import (
    Deliver,
    Fault,
    Make,
    Move,
    Scenario,
    Violation,
    Wait,
    explore,
    replay,
)
from tests.explore.kit import Network, Post
from tests.explore.player import Act, Play, Player, appending, doing, failing


def test_a_walk_is_a_line_of_figures() -> None:
    walk = explore(lambda: Network(1, [(0, Post(name="a")), (0, Post(name="b"))]))
    assert str(walk) == "Network: 11 states, 12 edges, depth 4, 4 interleavings, 2 at rest"
    many = explore(lambda: Network(4, [(place, Post(name=str(place))) for place in range(4)]))
    assert str(many).endswith("depth 8, 2,520 interleavings, 1 at rest")


def test_two_walks_are_the_same() -> None:
    moves = [(0, Post(name="a", route=(1, 2), late_ms=3)), (1, Post(name="b", route=(2, 0)))]
    walks = [explore(lambda: Network(3, moves), fault=fault) for fault in [*Fault] * 2]
    assert walks[: len(Fault)] == walks[len(Fault) :]


def test_ways_without_end_are_said_to_be() -> None:
    class Spinner(StepActor[bool, Post, Never]):
        def on_ask(self, query: Never, /) -> Answer:
            raise NotImplementedError

        def step(self, state: bool, message: Post, /) -> Next[bool]:  # noqa: FBT001
            return Next(not state, (to(self.me, message),))

    class Spins(Scenario):
        def begin(self, system: ActorSystem) -> None:
            self.ref = system.spawn(lambda: Spinner(False))  # noqa: FBT003

        def moves(self) -> list[Move]:
            return [Move("spin", lambda: self.ref.tell(Post(name="round")))]

    walk = explore(Spins)
    assert (walk.states, walk.edges, walk.rests) == (3, 3, 0)
    assert walk.interleavings is None
    assert "endless interleavings" in str(walk)


def test_a_scenario_in_which_nothing_happens_has_one_schedule() -> None:
    walk = explore(lambda: Network(1, []))
    assert (walk.states, walk.edges, walk.depth, walk.interleavings, walk.rests) == (1, 0, 0, 1, 1)


def test_moves_wait_for_those_they_come_after() -> None:
    class Ordered(Network):
        def moves(self) -> list[Move]:
            a, b, c = super().moves()
            return [a, b._replace(after=("c",)), c._replace(after=("a",))]

    scenario = Ordered(1, [(0, Post(name=name)) for name in "abc"])
    explore(lambda: scenario)
    assert scenario.final == {(("a", "c", "b"),)}


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ([Move("a", bool), Move("a", bool)], "two moves of one name"),
        ([Move("a", bool, after=("b",))], "'a' comes after moves that there are not: .'b'"),
        ([Move("a", bool, ("b",)), Move("b", bool, ("a",))], "moves that wait for each other"),
    ],
)
def test_moves_that_could_never_be_made_are_refused(moves: list[Move], error: str) -> None:
    class Wrong(Network):
        def moves(self) -> list[Move]:
            return moves

    with pytest.raises(ValueError, match=error):
        explore(lambda: Wrong(1, []))


def test_the_prelude_runs_in_one_order() -> None:
    before = [(0, Post(name="a", route=(1,))), (1, Post(name="b", route=(0,)))]
    scenario = Network(2, [], before)
    assert explore(lambda: scenario).states == 1
    assert scenario.final == {(("a", "b"), ("b", "a"))}


def test_time_passes_only_if_the_scenario_says_so() -> None:
    class Timeless(Network):
        def time_passes(self) -> bool:
            return False

    moves = [(0, Post(name="a", late_ms=5))]
    timely, timeless = Network(1, moves), Timeless(1, moves)
    explore(lambda: timely)
    explore(lambda: timeless)
    assert timely.final == {(("a", "a'"),)}
    assert timeless.final == {(("a",),)}


def test_time_passes_only_if_no_message_waits() -> None:
    """So what both are sent at once is taken before what comes of the timer."""
    scenario = Network(2, [], [(0, Post(name="a", late_ms=5)), (1, Post(name="b", late_ms=5))])
    walk = explore(lambda: scenario)
    assert (walk.states, walk.interleavings) == (1 + 4, 2)


class Wrong(Network):
    def check(self) -> None:
        taken = self.offices[1].state
        assert taken[:1] != ("b",), f"{taken} begins with b"


WRONG = [(0, Post(name="a", route=(1,))), (1, Post(name="b")), (0, Post(name="c", late_ms=7))]


def test_a_violation_tells_a_shortest_schedule() -> None:
    with pytest.raises(Violation) as found:
        explore(lambda: Wrong(2, WRONG))
    post = "Post(name='b', route=(), late_ms=None)"
    assert found.value.scenario == "Wrong"
    assert found.value.reason.startswith("('b',) begins with b")
    assert found.value.schedule == (
        Make(move="b"),
        Deliver(actor="Office#2", message=post),
    )
    *_, first, second = str(found.value).splitlines()
    assert (first, second) == ("   1. move: b", f"   2. Office#2 takes {post}")
    assert isinstance(found.value.__cause__, AssertionError)


def test_a_violation_happens_again() -> None:
    with pytest.raises(Violation) as found:
        explore(lambda: Wrong(2, WRONG))
    with pytest.raises(Violation) as again:
        replay(lambda: Wrong(2, WRONG), found.value.schedule)
    assert again.value.schedule == found.value.schedule
    assert again.value.reason.startswith("('b',) begins with b")
    replay(lambda: Network(2, WRONG), found.value.schedule)  # mended: it passes


def test_a_schedule_of_another_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="step 1 cannot happen there: time goes on to 5 ms"):
        replay(lambda: Network(1, []), (Wait(until_ms=5),))


def test_a_timer_stands_in_the_schedule() -> None:
    class Impatient(Network):
        def check(self) -> None:
            assert "a'" not in self.offices[0].state

    with pytest.raises(Violation) as found:
        explore(lambda: Impatient(1, [(0, Post(name="a", late_ms=5))]))
    assert found.value.schedule[2] == Wait(until_ms=5)
    with pytest.raises(Violation, match="time goes on to 5 ms"):
        replay(lambda: Impatient(1, [(0, Post(name="a", late_ms=5))]), found.value.schedule)


def test_what_is_wrong_at_the_beginning_is_found_there() -> None:
    class Mistaken(Network):
        def check(self) -> None:
            msg = "a mistake of the check"
            raise KeyError(msg)

    with pytest.raises(Violation, match=r"KeyError: 'a mistake of the check'\n  at the beginning"):
        explore(lambda: Mistaken(1, []))


def test_what_is_wrong_at_rest_is_found_before_anything_longer() -> None:
    class Stuck(Network):
        def check_at_rest(self) -> None:
            msg = "stuck"
            raise AssertionError(msg)

        def check(self) -> None:
            assert len(self.offices[0].state) < 3, "too long"

    moves = [(0, Post(name="a", route=(0, 0)))]
    with pytest.raises(Violation, match="too long"):
        explore(lambda: Stuck(1, moves))
    with pytest.raises(Violation, match="stuck"):
        explore(lambda: Stuck(1, moves), fault=Fault.LOSES)


def test_a_move_that_raises_is_a_violation() -> None:
    class Broken(Network):
        def moves(self) -> list[Move]:
            return [Move("divide", lambda: 1 // 0)]

    with pytest.raises(Violation, match="ZeroDivisionError"):
        explore(lambda: Broken(1, []))


def test_a_dead_letter_is_a_violation() -> None:
    with pytest.raises(Violation, match=r"a dead letter: .*LookupError"):
        explore(lambda: Play(failing))


def test_a_dead_letter_may_be_allowed() -> None:
    class Lenient(Play):
        def dead_letter(self, letter: DeadLetter, /) -> None:
            assert "by itself" in letter.error

    assert explore(lambda: Lenient(failing)).rests == 1


def test_states_that_could_be_changed_are_told_apart_by_what_they_hold() -> None:
    walk = explore(lambda: Play(appending(1), appending(1), appending(2)))
    assert walk.rests == 3  # 112, 121, 211


def test_names_tell_actors_of_one_class_apart() -> None:
    with pytest.raises(Violation) as found:
        explore(lambda: Wrong(2, WRONG))
    assert {step.actor for step in found.value.schedule if isinstance(step, Deliver)} <= {
        "Office",
        "Office#2",
    }


def test_states_that_differ_in_what_is_due_are_two() -> None:
    class Ordered(Network):
        def moves(self) -> list[Move]:
            first, second = super().moves()
            return [first, second._replace(after=(first.name,))]

    moves = [(0, Post(name="a", late_ms=5)), (1, Post(name="b", late_ms=100))]
    assert explore(lambda: Ordered(2, moves)).rests == 2  # at 100 ms, and at 105 ms


def test_a_timer_that_is_cancelled_after_it_rang_is_nothing() -> None:
    def cancelling(player: Player, state: list[int]) -> Next[list[int]]:
        return doing(lambda it: it.cancel_timer("second"))(player, [*state, 1])

    def setting(player: Player) -> None:
        player.set_timer("first", 5, Act(cancelling))
        player.set_timer("second", 5, Act(appending(2)))

    class Once(Play):
        def check_at_rest(self) -> None:
            assert self.player.state == []

    walks = {fault: explore(lambda: Play(doing(setting)), fault=fault) for fault in Fault}
    assert walks[Fault.LOSES].edges == 5  # nothing that it could lose
    with pytest.raises(Violation) as found:
        explore(lambda: Once(doing(setting)))
    assert str(found.value).endswith("5. Player takes nothing: a timer was cancelled")


@pytest.mark.parametrize("bad", [("a", "b"), ("b", "a")])
def test_a_dead_letter_on_the_way_to_a_state_seen_before_is_a_violation(
    bad: tuple[str, str],
) -> None:
    class Picky(StepActor[frozenset[str], Post, Never]):
        def on_ask(self, query: Never, /) -> Answer:
            raise NotImplementedError

        def step(self, state: frozenset[str], message: Post, /) -> Next[frozenset[str]]:
            if (*state, message.name) == bad:
                raise ValueError(bad)
            return Next(state | {message.name})

        def parked(
            self, state: frozenset[str], message: Post, error: BaseException, /
        ) -> Next[frozenset[str]]:
            del error
            return Next(state | {message.name})

    class Either(Scenario):
        def begin(self, system: ActorSystem) -> None:
            self.ref = system.spawn(lambda: Picky(frozenset()))

        def moves(self) -> list[Move]:
            return [
                Move("a", lambda: self.ref.tell(Post(name="a"))),
                Move("b", lambda: self.ref.tell(Post(name="b"))),
            ]

    with pytest.raises(Violation, match="a dead letter"):
        explore(Either)


def test_a_check_that_says_nothing_is_named_by_its_line() -> None:
    class Terse(Network):
        def check(self) -> None:
            raise AssertionError

    with pytest.raises(Violation, match=r"Terse: raise AssertionError \(test_walk.py:\d+\)"):
        explore(lambda: Terse(1, []))


def test_a_check_that_changes_its_mind_is_said_to() -> None:
    class Fickle(Network):
        asked = 0

        def check(self) -> None:
            self.asked += 1
            assert self.asked != 2

    with pytest.raises(RuntimeError, match="Fickle was wrong and then, by the same schedule"):
        explore(lambda: Fickle(1, [(0, Post(name="a"))]))


class Reading(Struct, frozen=True):
    value: int


class Gauge(StepActor[tuple[int, ...], Reading, Never]):
    samples: ClassVar[tuple[type, ...]] = (Reading,)

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: tuple[int, ...], message: Reading, /) -> Next[tuple[int, ...]]:
        return Next((*state, message.value))


class Readings(Scenario):
    """A reading of 1 and later one of 2; the first may be lost."""

    def __init__(self) -> None:
        self.gauge = Gauge(())
        self.final: set[tuple[int, ...]] = set()

    def begin(self, system: ActorSystem) -> None:
        self.ref = system.spawn(lambda: self.gauge)

    def moves(self) -> list[Move]:
        return [
            Move("first", lambda: self.ref.tell(Reading(1))),
            Move("second", lambda: self.ref.tell(Reading(2)), after=("first",)),
        ]

    def losable(self, message: object, /) -> bool:
        return message == Reading(1)

    def check_at_rest(self) -> None:
        self.final.add(self.gauge.state)


@pytest.mark.parametrize("fault", [None, Fault.LOSES])
def test_a_sample_takes_the_place_of_the_one_that_waits(fault: Fault | None) -> None:
    scenario = Readings()
    explore(lambda: scenario, fault=fault)
    assert scenario.final == {(1, 2), (2,)}
