"""Nothing that an actor keeps is overlooked: two histories that differ are two, or are refused.

Two moves come in any order, and one of the orders is wrong. Wherever the actor keeps which
of them came first, the walk has to say so, or to say that it cannot see.
"""

from __future__ import annotations

import dataclasses
import signal
from collections import ChainMap, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Never, TypeAlias, cast

import pytest
from msgspec import Struct

from gapless.actors.runtime import ActorSystem, Answer, Next, Ref, StepActor
from gapless.testing import Fault, Move, Scenario, Violation, explore

History: TypeAlias = tuple[int, ...]
WRONG: History = (2, 1)


class Word(Struct, frozen=True):
    """A message that is heard."""

    number: int


class Keeper(StepActor[object, Word, Never]):
    """Keeps what it heard, wherever that is."""

    def __init__(self, way: Way) -> None:
        super().__init__(way.first())
        self._way = way

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: object, message: Word, /) -> Next[object]:
        return Next(self._way.keep(state, message.number))


class Way:
    """Where a history is kept."""

    def first(self) -> object:
        raise NotImplementedError

    def keep(self, state: object, number: int) -> object:
        raise NotImplementedError

    def read(self, state: object) -> History:
        raise NotImplementedError


class Hearing(Scenario):
    def __init__(self, way: Way) -> None:
        self._way = way

    def begin(self, system: ActorSystem) -> None:
        self.keeper = Keeper(self._way)
        self.ref = system.spawn(lambda: self.keeper)

    def moves(self) -> list[Move]:
        return [Move(str(it), self._telling(it)) for it in (1, 2)]

    def _telling(self, number: int) -> Callable[[], object]:
        return lambda: self.ref.tell(Word(number))

    def check_at_rest(self) -> None:
        assert self._way.read(self.keeper.state) != WRONG, "the second was first"


class Labelled(Way):
    """As an attribute of a value that is made anew for each history, and equals the others."""

    def __init__(self, make: Callable[[History], object], read: Callable[[object], object]) -> None:
        self._make, self._read = make, read

    def first(self) -> object:
        return self._make(())

    def keep(self, state: object, number: int) -> object:
        return self._make((*self.read(state), number))

    def read(self, state: object) -> History:
        return cast("History", self._read(state))


class Dict(dict[str, int]):
    history: History = ()


class Deque(deque[int]):
    history: History = ()


class Slotted(list[int]):
    __slots__ = ("history",)


class Float(float):
    __slots__ = ("history",)


class Text(str):
    __slots__ = ("history",)


class Alike(str):
    """Equal to every other one, whatever it says."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __ne__(self, other: object) -> bool:
        return False


class Silent(tuple[int, ...]):
    """Says that it is empty."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def within(self) -> History:
        return self[0:]


@dataclasses.dataclass(frozen=True, eq=False)
class Mark:
    """Equal to itself alone."""


@dataclasses.dataclass
class Base:
    known: int = 0


class Derived(Base):
    """With an attribute that is no field."""

    history: History = ()


class Loose(Struct, frozen=True, dict=True):
    known: int = 0


def set_history(value: object, history: History) -> None:
    if isinstance(value, Loose):
        vars(value)["history"] = history
    else:
        object.__setattr__(value, "history", history)


def labelled(kind: Callable[[], object]) -> Labelled:
    def make(history: History) -> object:
        value = kind()
        set_history(value, history)
        return value

    return Labelled(make, lambda it: getattr(it, "history", ()))


def function(history: History) -> object:
    def nothing() -> None:
        pass

    vars(nothing)["history"] = history
    return nothing


def factory(history: History) -> object:
    made: defaultdict[str, History] = defaultdict(lambda: history)
    return made


def count(history: History) -> object:
    """Keep the history as how many equal marks there are: 0, 1, 2, 12 or 21."""
    return frozenset(Mark() for _ in range(int("".join(map(str, history)) or "0")))


def uncount(state: object) -> object:
    many = len(cast("frozenset[Mark]", state))
    return tuple(map(int, str(many))) if many else ()


def made(state: object) -> object:
    factory = cast("defaultdict[str, History]", state).default_factory
    return factory() if factory else ()


def merging(history: History) -> object:
    nothing: History = ()
    first: dict[str, History] = {"k": nothing}
    return ChainMap(first, {"k": history})


def merged(state: object) -> object:
    return cast("ChainMap[str, History]", state).maps[1]["k"]


def letters(state: object) -> object:
    return tuple(map(int, str.__add__(cast("str", state), "")))


def items(state: object) -> History:
    return cast("Silent", state).within()


LABELLED = {
    "a dict": labelled(Dict),
    "a deque": labelled(Deque),
    "a list with slots": labelled(Slotted),
    "a float with slots": labelled(lambda: Float(0)),
    "a text with slots": labelled(lambda: Text("x")),
    "a dataclass derived": labelled(Derived),
    "a struct": labelled(Loose),
    "a function": Labelled(function, lambda it: getattr(it, "history", ())),
    "a default": Labelled(factory, made),
    "a merged map": Labelled(merging, merged),
    "how many": Labelled(count, uncount),
    "an equal text": Labelled(lambda it: Alike("".join(map(str, it))), letters),
    "an odd tuple": Labelled(Silent, items),
}


@pytest.mark.parametrize("way", LABELLED.values(), ids=LABELLED.keys())
def test_values_that_differ_in_anything_are_told_apart(way: Way) -> None:
    with pytest.raises(Violation, match="the second was first"):
        explore(lambda: Hearing(way))


class InPlace(Way):
    """In something that is changed where it is."""

    def __init__(self, make: Callable[[], object], put: Callable[[object, int], object]) -> None:
        self._make, self._put = make, put

    def first(self) -> object:
        return self._make()

    def keep(self, state: object, number: int) -> object:
        self._put(state, number)
        return state

    def read(self, state: object) -> History:
        del state  # nobody comes to read it
        return ()


class Box:
    def __init__(self) -> None:
        self.inside: list[int] = []


@dataclasses.dataclass
class Sly:
    """Is not frozen, and has a ``__setattr__`` of its own all the same."""

    number: int = 0

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def set_number(it: object, number: int) -> None:
    setattr(it, "number", number)  # noqa: B010 - of whatever it is


def append(it: object, number: int) -> None:
    assert isinstance(it, Box)
    it.inside.append(number)


def append_byte(it: object, number: int) -> None:
    assert isinstance(it, bytearray)
    it.append(number)


IN_PLACE = {
    "a plain object": InPlace(Box, append),
    "its attribute": InPlace(Box, set_number),
    "a sly dataclass": InPlace(Sly, set_number),
    "bytes": InPlace(bytearray, append_byte),
}


@pytest.mark.parametrize("way", IN_PLACE.values(), ids=IN_PLACE.keys())
def test_a_state_that_is_changed_in_place_is_refused(way: Way) -> None:
    with pytest.raises(TypeError, match="the state that Keeper was given was changed in place"):
        explore(lambda: Hearing(way))


def test_an_iterator_is_refused_for_what_is_left_of_it_cannot_be_put_back() -> None:
    with pytest.raises(TypeError, match="what is left of an iterator"):
        explore(lambda: Hearing(InPlace(lambda: iter([1, 2]), lambda _, __: None)))


def test_a_state_that_holds_itself_is_refused_by_name() -> None:
    def make() -> object:
        inside: list[object] = []
        inside.append(inside)
        return inside

    with pytest.raises(TypeError, match="a state or a message in Hearing holds itself"):
        explore(lambda: Hearing(InPlace(make, lambda _, __: None)))


class Beside(Way):
    """In the actor, beside its state."""

    def __init__(self, put: Callable[[int], object]) -> None:
        self._put = put

    def first(self) -> object:
        return 0

    def keep(self, state: object, number: int) -> object:
        self._put(number)
        return state

    def read(self, state: object) -> History:
        del state  # nobody comes to read it
        return ()


def test_what_an_actor_keeps_in_a_container_of_its_own_is_refused() -> None:
    def hearing() -> Hearing:
        log: list[int] = []
        hearing = Hearing(Beside(log.append))
        begin = hearing.begin

        def with_log(system: ActorSystem) -> None:
            begin(system)
            vars(hearing.keeper)["log"] = log

        vars(hearing)["begin"] = with_log
        return hearing

    with pytest.raises(TypeError, match="Keeper keeps 'log' beside its state"):
        explore(hearing)


class Bag(Struct, frozen=True):
    items: list[int]


class Taker(StepActor[int, Bag, Never]):
    """Takes out of what it is given."""

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: int, message: Bag, /) -> Next[int]:
        return Next(state + (message.items.pop() if message.items else 0))


class Giving(Scenario):
    def begin(self, system: ActorSystem) -> None:
        self.ref: Ref[Bag, Never] = system.spawn(lambda: Taker(0))

    def moves(self) -> list[Move]:
        return [Move("give", lambda: self.ref.tell(Bag([1])))]


@pytest.mark.parametrize("fault", [None, Fault.RAISES_ONCE, Fault.REPEATS])
def test_a_message_that_is_changed_in_place_is_refused(fault: Fault | None) -> None:
    with pytest.raises(TypeError, match="the message that Taker was given was changed in place"):
        explore(Giving, fault=fault)


class Interrupting(Hearing):
    """Somebody presses Ctrl-C while a step goes on."""

    def __init__(self) -> None:
        super().__init__(Beside(lambda _: signal.raise_signal(signal.SIGINT)))


@pytest.mark.parametrize("fault", [None, Fault.RAISES_ONCE])
def test_an_interrupt_ends_a_walk(fault: Fault | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        explore(Interrupting, fault=fault)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_check_that_answers_is_none() -> None:
    class Answering(Giving):
        def moves(self) -> list[Move]:
            return []

        def check(self) -> None:
            return cast("None", False)  # noqa: FBT003 - what one writes by mistake

    with pytest.raises(TypeError, match=r"raises if something is wrong; it returned \[False\]"):
        explore(Answering)


def test_what_a_test_runner_fails_with_is_a_violation() -> None:
    class Failing(Giving):
        def moves(self) -> list[Move]:
            return []

        def check(self) -> None:
            pytest.fail("as pytest says it")

    with pytest.raises(Violation, match="as pytest says it"):
        explore(Failing)


def test_a_walk_says_at_how_many_steps_its_fault_was_tried() -> None:
    class Sending(Hearing):
        def losable(self, message: object, /) -> bool:
            return message == Word(1)

    way = Labelled(lambda it: it, lambda it: cast("History", it)[:1])
    assert explore(lambda: Hearing(way), fault=Fault.LOSES).tried == 0
    assert explore(lambda: Sending(way), fault=Fault.LOSES).tried > 0
    assert "LOSES at 0 steps" in str(explore(lambda: Hearing(way), fault=Fault.LOSES))
