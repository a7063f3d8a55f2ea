"""Visit every state that a scenario can reach, breadth first.

Breadth first, so that the first schedule that leads to something wrong is a shortest one. Each
state is checked when it is reached for the first time; an edge that leads to it again costs only
that edge. It is exhaustive or it is an error: states are never left out for their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log10
from typing import Final, NamedTuple, Never, final

from msgspec import Struct

from gapless.testing.explorer.errors import TooLarge, Violation, WrongError
from gapless.testing.explorer.faults import quiet
from gapless.testing.explorer.interrupts import interruptible
from gapless.testing.explorer.paths import Graph
from gapless.testing.explorer.scenario import Scenario
from gapless.testing.explorer.steps import Deliver, Fault, Step
from gapless.testing.explorer.world import Snapshot, World

LONGEST_FIGURE: Final = 10**15
"""From here on a number of interleavings is shown by its order of magnitude."""


@final
class Walk(Struct, frozen=True, kw_only=True):
    """What was visited, all of it right.

    ``edges`` are the steps that can be taken, in all states, and ``tried`` at how many of them the
    fault was injected; ``depth`` is the greatest distance of a state from the first; ``rests`` are
    the states in which nothing is left to happen. ``interleavings`` are the schedules from the
    first state to one at rest, exactly; ``None``: some schedule goes round for ever, so there is
    no end to them.
    """

    scenario: str
    fault: Fault | None
    tried: int
    states: int
    edges: int
    depth: int
    interleavings: int | None
    rests: int

    def __str__(self) -> str:
        name = self.scenario
        if self.fault is not None:
            name = f"{name}, {self.fault.name} at {self.tried:,} steps"
        return (
            f"{name}: {self.states:,} states, {self.edges:,} edges, depth {self.depth},"
            f" {_figure(self.interleavings)} interleavings, {self.rests:,} at rest"
        )


class _Open(NamedTuple):
    """A state whose steps were not taken yet."""

    number: int
    snapshot: Snapshot
    steps: list[Step]


def explore(
    make_scenario: Callable[[], Scenario],
    *,
    fault: Fault | None = None,
    faults: int = 1,
    most_states: int = 100_000,
) -> Walk:
    """Check a scenario in every state that it can reach, and say how many there are.

    With a ``fault``, that happens at most ``faults`` times on each schedule, and is tried at every
    step of every state.

    Raises:
        Violation: a state is wrong, or a message died; with a shortest schedule that leads there.
        TooLarge: there are more than ``most_states``.
        TypeError: an actor cannot be put back to where it was, so it cannot be explored.

    """
    with quiet(), interruptible() as look:
        world = World(make_scenario(), 0 if fault is None else faults)
        return _Walker(world, fault, most_states, look).walk()


def replay(make_scenario: Callable[[], Scenario], schedule: tuple[Step, ...]) -> None:
    """Run a scenario by a schedule, checking each state on the way: for a debugger.

    Raises:
        Violation: as it was when that schedule was found, if nothing was mended since.
        ValueError: one of the steps cannot happen there.

    """
    with quiet():
        follow(World(make_scenario(), len(schedule)), schedule)


def follow(world: World, schedule: Sequence[Step]) -> None:
    """Run a world by a schedule from its beginning, as ``replay`` says."""
    done: list[Step] = []
    try:
        here = world.go_to_first()
        world.judge(here)
        for step in schedule:
            plain, fault = step, None
            if isinstance(step, Deliver):
                fault = step.fault
                plain = Deliver(actor=step.actor, fault=fault)  # what it takes is seen, not asked
            possible = world.steps(here, fault)
            described = world.describe(plain) if plain in possible else step
            there = world.take(plain, here) if plain in possible else None
            if there is None:
                msg = f"step {len(done) + 1} cannot happen there: {step}"
                raise ValueError(msg)
            done.append(described)
            here = there
            world.judge(here)
    except WrongError as wrong:
        raise Violation(world.name, wrong.reason, tuple(done)) from wrong.__cause__


@final
class _Walker:
    """One walk: what was seen, and how each state was reached first."""

    def __init__(
        self, world: World, fault: Fault | None, most_states: int, look: Callable[[], None]
    ) -> None:
        self._world: Final = world
        self._fault: Final = fault
        self._most: Final = most_states
        self._look: Final = look
        self._tried: int = 0
        self._graph: Final = Graph()
        self._seen: Final[dict[tuple[int, ...], int]] = {}
        self._came: Final[list[tuple[int, Step] | None]] = []
        self._depth: int = 0
        self._rests: int = 0

    def walk(self) -> Walk:
        world = self._world
        level = self._reached(world.go_to_first(), None)
        while level:
            following: list[_Open] = []
            for state in level:
                following += self._leave(state)
            self._depth += bool(following)
            level = following
        return Walk(
            scenario=world.name,
            fault=self._fault,
            tried=self._tried,
            states=len(self._seen),
            edges=self._graph.edges,
            depth=self._depth,
            interleavings=self._graph.interleavings(),
            rests=self._rests,
        )

    def _leave(self, state: _Open) -> list[_Open]:
        """Take every step that a state has, and return the states that are new."""
        world, here = self._world, state.snapshot
        new: list[_Open] = []
        targets: list[int] = []
        for step in state.steps:
            self._look()
            world.go_to(here)
            try:
                there = world.take(step, here)
                if there is None:
                    continue
                self._tried += isinstance(step, Deliver) and step.fault is not None
                number = self._seen.get(there.key)
                if number is not None and world.letters:
                    world.judge_letters()
            except WrongError as wrong:
                self._fail((state.number, step), wrong)
            if number is None:
                number = len(self._seen)
                new += self._reached(there, (state.number, step))
            targets.append(number)
        self._graph.add(targets)
        return new

    def _reached(self, snapshot: Snapshot, came: tuple[int, Step] | None) -> list[_Open]:
        """Check the state in which the world stands, which is new."""
        number = len(self._seen)
        if number == self._most:
            raise self._too_large()
        self._seen[snapshot.key] = number
        self._came.append(came)
        steps = self._world.steps(snapshot, self._fault)
        try:
            self._world.judge(snapshot, at_rest=not steps)
        except WrongError as wrong:
            self._fail(came, wrong)
        self._rests += not steps
        return [_Open(number, snapshot, steps)]

    def _fail(self, came: tuple[int, Step] | None, wrong: WrongError) -> Never:
        """Run the way to where something was wrong once more, telling it."""
        schedule: list[Step] = []
        while came is not None:
            schedule.append(came[1])
            came = self._came[came[0]]
        follow(self._world, schedule[::-1])
        msg = f"{self._world.name} was wrong and then, by the same schedule, was not: {wrong}"
        raise RuntimeError(msg) from wrong

    def _too_large(self) -> TooLarge:
        strangers = ", ".join(sorted(it.__qualname__ for it in self._world.numbers.strangers))
        return TooLarge(
            self._world.name, len(self._seen), self._graph.edges, self._depth, strangers
        )


def _figure(number: int | None) -> str:
    if number is None:
        return "endless"
    return f"{number:,}" if number < LONGEST_FIGURE else f"about 10^{log10(number):.1f}"
