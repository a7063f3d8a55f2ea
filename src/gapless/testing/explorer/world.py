"""The running system of one scenario: what can happen in it, doing that, and going back.

Going back is what makes a walk of every state affordable: running each schedule from its beginning
costs its whole length at every step. All that a ``StepActor`` is stands in its committed state, its
mailbox, its alarms and the timers of its system, and each of those can be put back. What stands
elsewhere cannot, and is refused with a ``TypeError``: other actors, what ``pipe_to_self`` and
``watch`` wait for, asks and stops, actors that begin or end on the way, attributes that a step
sets, and a step that changes the state it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, assert_never, final

from gapless.actors.runtime import ActorSystem, DeadLetter, Death, ManualClock, SteppedDispatcher
from gapless.actors.runtime.slips import NOTHING
from gapless.actors.runtime.timers import Timer
from gapless.testing.explorer.errors import judging, numbering
from gapless.testing.explorer.inhabitant import Cell, Inhabitant, inhabitants
from gapless.testing.explorer.moves import Moves
from gapless.testing.explorer.numbers import Numbers
from gapless.testing.explorer.scenario import Scenario
from gapless.testing.explorer.steps import Deliver, Fault, Make, SendLate, Step, Wait

PRELUDE_MOST: Final = 100_000
"""How many messages may be taken after ``begin`` before that is said never to end."""


class Snapshot(NamedTuple):
    """Everything in one state; ``key`` tells it from every other."""

    key: tuple[int, ...]
    cells: tuple[Cell, ...]
    timers: tuple[Timer, ...]
    alarms: int  # the number of these
    now_ms: int
    made: int  # a bit for each move
    faults: int  # that may still happen


@final
class World:
    """A scenario, begun. It stands in one state at a time."""

    def __init__(self, scenario: Scenario, faults: int) -> None:
        self.scenario: Final = scenario
        self.name: Final = type(scenario).__name__
        self.numbers: Final = Numbers()
        self.letters: Final[list[DeadLetter]] = []
        self._dispatcher: Final = SteppedDispatcher()
        self._clock: Final = ManualClock()
        self._system: Final = ActorSystem(self._dispatcher, self._clock)
        self._system.dead_letters.subscribe(self.letters.append)
        scenario.begin(self._system)
        self._settle()
        for act in scenario.prelude():
            act()
            self._settle()
        self._inhabitants: Final = inhabitants(self._system)
        self._by_name: Final = {it.name: it for it in self._inhabitants}
        self._moves: Final = Moves(scenario)
        with numbering(self.name):
            for inhabitant in self._inhabitants:
                inhabitant.look_around(self.numbers)
        self._loaded: list[Cell | None] = [None] * len(self._inhabitants)
        self._first_letters: Final = tuple(self.letters)
        self._first: Final = self._freeze(None, made=0, faults=faults)

    def _settle(self) -> None:
        for _ in range(PRELUDE_MOST):
            if not self._dispatcher.step():
                return
        msg = f"{self.name} does not come to rest after begin: {PRELUDE_MOST:,} messages were taken"
        raise RuntimeError(msg)

    def go_to(self, snapshot: Snapshot) -> None:
        """Stand in that state."""
        loaded = self._loaded
        for inhabitant, cell in zip(self._inhabitants, snapshot.cells, strict=True):
            if loaded[inhabitant.place] is not cell:
                inhabitant.actor.thaw(cell.committed)
                inhabitant.mailbox.thaw(cell.waiting)
                loaded[inhabitant.place] = cell
        self._system.timers.thaw(snapshot.timers)
        self._clock.thaw(snapshot.now_ms)

    def go_to_first(self) -> Snapshot:
        """Stand where it began, whatever has happened, and return that."""
        self._loaded = [None] * len(self._inhabitants)
        self.letters[:] = self._first_letters
        self.go_to(self._first)
        return self._first

    def steps(self, here: Snapshot, fault: Fault | None) -> list[Step]:
        """Return what can happen ``here``, where it stands. If nothing can, it is at rest."""
        steps: list[Step] = []
        late: list[Step] = []
        for inhabitant, cell in zip(self._inhabitants, here.cells, strict=True):
            if cell.waiting.items:
                steps.append(inhabitant.deliver)
                if fault is not None and here.faults and self._spoils(fault, inhabitant):
                    steps.append(inhabitant.fails[fault])
            if cell.committed.unsent:
                late.append(inhabitant.send_late)
        idle = not steps
        steps.extend(late)
        steps.extend(self._moves.enabled(here.made))
        if idle and here.timers and self.scenario.time_passes():
            steps.append(Wait(until_ms=max(here.now_ms, here.timers[0].due_ms)))
        return steps

    def _spoils(self, fault: Fault, inhabitant: Inhabitant) -> bool:
        message = inhabitant.next_message()
        if message is NOTHING:
            return False
        if fault is Fault.LOSES:
            return self.scenario.losable(message)
        return self.scenario.can_fail(message)

    def take(self, step: Step, here: Snapshot) -> Snapshot | None:
        """Let something happen ``here``, and return what comes of it.

        ``None`` if it was to be a fault and there was nothing to spoil: then nothing is said of it.

        Raises:
            TypeError: something happened that could not be put back.
            WrongError: a move raised.

        """
        made, faults = here.made, here.faults
        match step:
            case Deliver(actor=name, fault=fault):
                inhabitant = self._by_name[name]
                if not self._deliver(inhabitant, fault):
                    self._loaded[:] = [None] * len(self._loaded)
                    self.letters.clear()
                    return None
                faults -= fault is not None
                cell = here.cells[inhabitant.place]
                inhabitant.check_that_it_can_be_put_back(cell, fault, here.now_ms, self.numbers)
            case SendLate(actor=name):
                self._by_name[name].actor.send_late()
            case Make(move=name):
                with judging():
                    made |= self._moves.make(name)
            case Wait(until_ms=until_ms):
                self._clock.advance(until_ms - here.now_ms)
                self._system.timers.fire_due()
            case _:
                assert_never(step)
        return self._freeze(here, made, faults)

    def _deliver(self, inhabitant: Inhabitant, fault: Fault | None) -> bool:
        mailbox = inhabitant.mailbox
        if fault is not Fault.RAISES_TWICE:
            return inhabitant.take_next(lambda: self._dispatcher.step(mailbox), fault)
        message = inhabitant.next_message()
        done = inhabitant.take_next(lambda: self._dispatcher.step(mailbox), fault)
        for letter in self.letters:
            if letter.death is Death.PARKED and letter.message is message:
                self.letters.remove(letter)  # that was the fault
                break
        return done

    def _freeze(self, before: Snapshot | None, made: int, faults: int) -> Snapshot:
        if len(self._inhabitants) != self._system.alive:
            msg = f"an actor of {self.name} begins or ends on the way, and cannot be put back"
            raise TypeError(msg)
        numbers, loaded = self.numbers, self._loaded
        with numbering(self.name):
            cells = tuple([it.cell(loaded[it.place], numbers) for it in self._inhabitants])
        loaded[:] = cells
        timers, now_ms = self._system.timers.freeze(), self._clock.now_ms()
        if before is not None and _same(timers, before.timers):
            timers, alarms = before.timers, before.alarms
        else:
            alarms = numbers.of(timers)
        key = (*[cell.number for cell in cells], alarms, now_ms, made, faults)
        return Snapshot(key, cells, timers, alarms, now_ms, made, faults)

    def judge(self, here: Snapshot, *, at_rest: bool | None = None) -> None:
        """Let the scenario say whether the state in which it stands is right.

        Raises:
            WrongError: it is not.
            TypeError: a check told or asked somebody.

        """
        self.judge_letters()
        before = self._outline()
        with judging():
            answers = [_answer(self.scenario.check)]
            if not self.steps(here, None) if at_rest is None else at_rest:
                answers.append(_answer(self.scenario.check_at_rest))
        if said := [it for it in answers if it is not None]:
            msg = f"a check of {self.name} raises if something is wrong; it returned {said}"
            raise TypeError(msg)
        if before != self._outline():
            msg = f"a check of {self.name} told or asked an actor: it is there to look only"
            raise TypeError(msg)

    def judge_letters(self) -> None:
        """Let the scenario say whether the dead letters of the last step are right.

        Raises:
            WrongError: they are not.

        """
        letters = self.letters[:]
        self.letters.clear()
        with judging():
            for letter in letters:
                self.scenario.dead_letter(letter)

    def _outline(self) -> list[tuple[int, int]]:
        """Return what changes if anybody is told anything; the ids are of what is kept alive."""
        return [(id(it.actor.state), len(it.mailbox)) for it in self._inhabitants]

    def describe(self, step: Step) -> Step:
        """Return a step with all that a person wants to know of it, before it is taken."""
        if not isinstance(step, Deliver):
            return step
        text = self._by_name[step.actor].shown_next()
        return Deliver(actor=step.actor, message=text, fault=step.fault)


def _answer(check: Callable[[], object]) -> object:
    """Return what a check returned, which is nothing, unless it is no check: a generator, say."""
    return check()


def _same(timers: tuple[Timer, ...], others: tuple[Timer, ...]) -> bool:
    """Whether no timer was set, cancelled or fired: by identity, so that nothing is looked into."""
    return len(timers) == len(others) and all(
        one.due_ms == other.due_ms and one.key is other.key and one.fire is other.fire
        for one, other in zip(timers, others, strict=True)
    )
