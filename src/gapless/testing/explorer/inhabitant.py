"""One actor as the explorer knows it: what it is in a state, and how it takes a message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_
from typing import Final, NamedTuple, TypeAlias, assert_never, cast, final

from gapless.actors.runtime import ActorSystem, Outgoing, StepActor
from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.mailbox import Waiting
from gapless.actors.runtime.slips import NOTHING, Slip
from gapless.actors.runtime.typed import Committed
from gapless.testing.explorer.faults import covered, delaying, raising
from gapless.testing.explorer.numbers import Numbers
from gapless.testing.explorer.parts import slots_of
from gapless.testing.explorer.steps import Deliver, Fault, SendLate

Actor: TypeAlias = StepActor[object, object, object]

_CHANGING: Final = frozenset({"_committed", "_agenda"})
"""The attributes of an actor that are put back."""

_MACHINERY: Final = _CHANGING.union(
    ("actor_urn", "actor_inbox", "stop_flag", "actor_stopped", "_actor_ref", "_system")
)
"""The attributes that the runtime gives an actor."""


class Given(NamedTuple):
    """What a step is given, its number, and whether it could change any of it."""

    value: object
    number: int
    fluid: bool


class Cell(NamedTuple):
    """One actor in one state: the state that a step is given next, and the message."""

    number: int
    committed: Committed[object]
    waiting: Waiting
    state: Given
    message: Given


@final
class Inhabitant:
    """An actor of the system under exploration."""

    def __init__(self, place: int, name: str, actor: Actor) -> None:
        self.place: Final = place
        self.name: Final = name
        self.actor: Final = actor
        self.deliver: Final = Deliver(actor=name)
        self.fails: Final = {fault: Deliver(actor=name, fault=fault) for fault in Fault}
        self.send_late: Final = SendLate(actor=name)
        self.mailbox: Final = actor.mailbox
        self._slots: Final = slots_of(type(actor))
        self._fixed: Final[dict[str, object]] = dict(self._attributes())
        self._kept: Final[dict[str, Given]] = {}
        self._pure: Final[set[tuple[int, Fault | None, int]]] = set()

    def next_message(self) -> object:
        """Return what it takes next; ``NOTHING`` if that is a timer that was cancelled."""
        return _message_of(self.mailbox.freeze().items)

    def take_next(self, turn: Callable[[], object], fault: Fault | None) -> bool:
        """Let it take its next message in ``turn``; ``False`` if the fault had nothing to spoil."""
        match fault:
            case None:
                turn()
            case Fault.RAISES_ONCE | Fault.RAISES_TWICE:
                times = 1 if fault is Fault.RAISES_ONCE else 2
                with covered(self.actor, raising(self.actor.step, times)):
                    turn()
            case Fault.DELAYS_OUTBOX:
                late: list[Outgoing] = []
                with covered(self.actor, delaying(self.actor.step, late)):
                    turn()
                self.actor.thaw(self.actor.freeze()._replace(unsent=tuple(late)))
                return bool(late)
            case Fault.LOSES:
                item = self.mailbox.freeze().items[0]
                if isinstance(item, Slip):
                    item.take()
                waiting = self.mailbox.freeze()
                self.mailbox.thaw(waiting._replace(items=waiting.items[1:]))
            case Fault.REPEATS:
                message = self.next_message()
                turn()
                self.mailbox.post_fact(message)
            case _:
                assert_never(fault)
        return True

    def cell(self, before: Cell | None, numbers: Numbers) -> Cell:
        """Return what it is now; ``before`` itself if that is what it still is."""
        committed, waiting = self.actor.freeze(), self.mailbox.freeze()
        if before is not None and _same(before, committed, waiting):
            return before
        if before is not None and committed.state is before.committed.state:
            state = before.state
        else:
            state = _given(committed.state, numbers)
            # Of what is made alike the first is kept: it need not be looked through again.
            state = state._replace(value=numbers.first(state.number, state.value))
        items = [*map(numbers.of, waiting.items)]
        rest = (numbers.of(committed.unsent), numbers.of(committed.alarms), *items)
        waiting = Waiting(tuple(map(numbers.first, items, waiting.items)), waiting.samples)
        message = _given(_message_of(waiting.items), numbers)
        return Cell(
            numbers.count((Cell, state.number, *rest)),
            Committed(state.value, committed.unsent, committed.alarms),
            waiting,
            state,
            message,
        )

    def check_that_it_can_be_put_back(
        self, before: Cell, fault: Fault | None, now_ms: int, numbers: Numbers
    ) -> None:
        """Look whether its last message changed anything besides its state.

        What it was, with its next message, and the time are all that a step depends on. So of the
        many states in which these are the same, one is enough to look into what it was given.

        Raises:
            TypeError: it did.

        """
        fixed = self._fixed
        attributes = vars(self.actor) if not self._slots else dict(self._attributes())
        for name, value in attributes.items():
            if name not in _CHANGING and fixed.get(name, self) is not value:
                raise _beside(self.name, name)
        given = (before.number, fault, now_ms)
        if given in self._pure:
            return
        for what, was in (("state", before.state), ("message", before.message)):
            if was.fluid and numbers.of(was.value) != was.number:
                msg = f"the {what} that {self.name} was given was changed in place, while it took"
                msg = f"{msg} {shown(before.message.value)} or in a check: make a new one instead"
                raise TypeError(msg)
        for name, was in self._kept.items():
            if numbers.of(was.value) != was.number:
                raise _beside(self.name, name)
        self._pure.add(given)

    def look_around(self, numbers: Numbers) -> None:
        """Remember what its own attributes hold: nothing in them may change from here on."""
        for name, value in self._attributes():
            if name not in _MACHINERY:
                kept = _given(value, numbers)
                if kept.fluid:
                    self._kept[name] = kept

    def _attributes(self) -> Iterator[tuple[str, object]]:
        yield from vars(self.actor).items()
        for name in self._slots:
            yield name, getattr(self.actor, name, None)

    def shown_next(self) -> str:
        """Return what it takes next, for a person to read."""
        message = self.next_message()
        return "nothing: a timer was cancelled" if message is NOTHING else shown(message)


def _given(value: object, numbers: Numbers) -> Given:
    number, fluid = numbers.look(value)
    return Given(value, number, fluid)


def _message_of(items: tuple[object, ...]) -> object:
    """Return what is taken next of what waits, ``NOTHING`` if that is nothing."""
    if not items:
        return NOTHING
    item = items[0]
    return item.peek() if isinstance(item, Slip) else item


def _beside(actor: str, name: str) -> TypeError:
    return TypeError(f"{actor} keeps {name!r} beside its state, where it cannot be put back")


def _same(before: Cell, committed: Committed[object], waiting: Waiting) -> bool:
    """Whether nothing has happened to an actor: by identity, so that nothing is looked into."""
    return (
        committed.state is before.committed.state
        and _alike(waiting.items, before.waiting.items)
        and _alike(committed.unsent, before.committed.unsent)
        and _alike(committed.alarms, before.committed.alarms)
        and not waiting.samples
        and not before.waiting.samples
    )


def _alike(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return one is other or (len(one) == len(other) and all(map(is_, one, other)))


def inhabitants(system: ActorSystem) -> tuple[Inhabitant, ...]:
    """Return the actors of a system in the order of their spawning, each with a name of its own.

    Raises:
        TypeError: one of them is no ``StepActor``, so it could not be put back.

    """
    found: list[Inhabitant] = []
    for place, mailbox in enumerate(system.mailboxes):
        resident: object = mailbox.resident
        if not issubclass(type(resident), StepActor):
            msg = f"{mailbox.name} is no StepActor: what it keeps cannot be put back"
            raise TypeError(msg)
        actor = cast("Actor", resident)  # which messages it takes matters to who sends them
        taken = sum(it.actor.label == actor.label for it in found)
        name = f"{actor.label}#{taken + 1}" if taken else actor.label
        found.append(Inhabitant(place, name, actor))
    return tuple(found)
