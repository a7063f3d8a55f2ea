"""Number values by structure: two have one number if, and only if, they are made alike.

A state of the walk is a tuple of such numbers. A hash would do in its place if it never collided;
a walk that takes two states for one misses whatever only the second leads to, so it may not
happen even rarely. Comparing the values themselves was refused too: ``1 == True``, equal sets may
differ in order only, a class may define ``==`` as it likes, and a large state would be compared
from its root every time. Here each part has its number already, and only what is new is looked at.

* Numbers of parts that cannot change are remembered by ``id``. That is safe while they live, so the
  first value of each number is kept, and only values that it or another one holds are remembered.
* Parts that could change (a list, a dict) are leaves: whatever holds some is remembered together
  with what they held, and is known again if they hold the very same now.
* A function is numbered by its code, its defaults and what it closes over: a lambda that is made
  anew by every step is one and the same.
* What else there is counts by identity: it equals nothing but itself. ``strangers`` are its types,
  because a state that holds a new one each time is never seen twice.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import partial
from operator import attrgetter, is_
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Final, NamedTuple, TypeAlias, cast, final

from msgspec import Struct

from gapless.actors.runtime import DispatchedActor, Ref
from gapless.actors.runtime.agenda import Agenda, Alarm
from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.seams import Envelope
from gapless.actors.runtime.slips import NOTHING, Samples, Slip
from gapless.typings.outcome import Failure, Success

Shape: TypeAlias = Callable[[object], int]
Parts: TypeAlias = Callable[[object], Sequence[object]]

MOST_LOOSE: Final = 50_000
"""So many values that hold something that can change are remembered; then that begins anew."""

_ATOMS: Final = (int, str, bytes, type(None))
_ALONE: Final = (Enum, type, CodeType, BuiltinFunctionType, ModuleType, Mailbox, Samples)
"""What is one of its kind: identity is its structure."""


class _Leaf(NamedTuple):
    """Something that can change, and what it held when it was looked into."""

    value: object
    parts: Parts
    inside: Sequence[object]

    def changed(self) -> bool:
        now = self.parts(self.value)
        return len(now) != len(self.inside) or not all(map(is_, now, self.inside))


class _Loose(NamedTuple):
    """A value that holds leaves, and its number."""

    value: object
    number: int
    leaves: Sequence[_Leaf]


@final
class Numbers:
    """Numbers values; equal numbers mean equal structure."""

    def __init__(self, most_loose: int = MOST_LOOSE) -> None:
        self._most_loose = most_loose
        self.strangers: set[type] = set()
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[int, int] = {}  # by id, of what is kept alive
        self._first: dict[int, object] = {}
        self._loose: dict[int, _Loose] = {}  # by id, of what it keeps alive
        self._leaves: list[_Leaf] = []  # of the value that is being numbered
        self._shapes: dict[type, Shape] = {float: self._float, Slip: self._slip}
        self._alone(NOTHING)

    def of(self, value: object) -> int:
        """Return the number of a value."""
        number = self._known.get(id(value))
        if number is not None:
            return number
        loose = self._loose.get(id(value))
        if loose is not None and not any(map(_Leaf.changed, loose.leaves)):
            self._leaves.extend(loose.leaves)
            return loose.number
        kind = type(value)
        shape = self._shapes.get(kind)
        if shape is None:
            shape = self._shapes[kind] = self._shape_of(kind)
        return shape(value)

    def look(self, value: object) -> tuple[int, bool]:
        """Return the number of a value, and whether any part of it could change."""
        self._leaves = []
        number = self.of(value)
        return number, bool(self._leaves)

    def first(self, number: int, value: object) -> object:
        """Return the first value of that number, which is the cheapest to number again."""
        return self._first.get(number, value)

    def count(self, key: Hashable) -> int:
        """Return the number of a key, a new one if it is new."""
        return self._numbers.setdefault(key, len(self._numbers))

    def _float(self, value: object) -> int:
        return self.count((float, repr(value)))  # 0.0 == -0.0, and nan is not nan

    def _slip(self, value: object) -> int:
        """Return the number of a slip: it is worth what its holder says now."""
        slip = cast("Slip", value)  # its shape says so
        self._leaves.append(_Leaf(slip, _worth, _worth(slip)))
        return self.count((Slip, self.of(slip.holder), self.of(slip.peek())))

    def _remember(self, loose: _Loose) -> None:
        if len(self._loose) == self._most_loose:
            self._loose.clear()
        self._loose[id(loose.value)] = loose

    def _alone(self, value: object) -> int:
        number = self.count((Numbers, id(value)))
        self._known[id(value)] = number
        self._first[number] = value
        return number

    def _stranger(self, value: object) -> int:
        self.strangers.add(type(value))
        return self._alone(value)

    def _shape_of(self, kind: type[object]) -> Shape:
        if among(kind, Envelope):
            return _refused
        if among(kind, *_ALONE):
            return self._alone
        if among(kind, *_ATOMS, float, tuple, list, set, frozenset) and has_more(kind):
            return self._stranger
        if among(kind, *_ATOMS):
            return lambda atom: self.count((kind, atom))
        if among(kind, float):
            return self._float
        if among(kind, AbstractSet):
            return self._composite(kind, _ITEMS, ordered=False)
        parts = parts_of(kind)
        return self._stranger if parts is None else self._composite(kind, parts)

    def _composite(self, kind: type[object], parts: Parts, *, ordered: bool = True) -> Shape:
        of, known, numbers = self.of, self._known, self._numbers
        solid = is_solid(kind)
        holds = among(kind, tuple, frozenset, Struct)  # no property makes its parts

        def shape(value: object) -> int:
            outer, self._leaves = self._leaves, []
            inside = parts(value)
            inner = tuple(map(of, inside))
            if not solid:
                self._leaves.append(_Leaf(value, parts, inside))
            leaves, self._leaves = self._leaves, outer
            key = (kind, *inner) if ordered else (kind, frozenset(inner))
            number = numbers.get(key)
            new = number is None
            if number is None:
                number = numbers[key] = len(numbers)
            if leaves:
                outer.extend(leaves)
                self._remember(_Loose(value, number, leaves))
            elif new:
                self._first[number] = value
                known[id(value)] = number
                if holds:
                    known.update(zip(map(id, inside), inner, strict=True))
            return number

        return shape


def among(kind: type[object], *bases: type[object]) -> bool:
    """Say what ``issubclass`` does, without having a checker infer what is in the container."""
    return issubclass(kind, bases)


def is_solid(kind: type[object]) -> bool:
    """Whether values of this type stay as they are, as far as their parts do."""
    if issubclass(kind, Struct):
        return kind.__struct_config__.frozen
    if dataclasses.is_dataclass(kind):
        return kind.__setattr__ is not object.__setattr__  # a frozen one refuses
    if among(kind, AbstractSet):
        return among(kind, frozenset)
    return not among(kind, Mapping, list, deque, FunctionType)  # what it closes over may change


def has_more(kind: type[object]) -> bool:
    """Whether values of a class that is derived from a built-in one have attributes besides."""
    return kind.__dictoffset__ != 0


def parts_of(kind: type[object]) -> Parts | None:
    """Return what takes values of this type apart, or ``None`` if nothing does."""
    if issubclass(kind, Struct):
        return _fields(kind.__struct_fields__)
    if dataclasses.is_dataclass(kind):
        return _fields(tuple(field.name for field in dataclasses.fields(kind)))
    return next((parts for kinds, parts in _PARTS if among(kind, *kinds)), None)


def _refused(envelope: object) -> int:
    msg = f"an ask or a stop waits, which cannot be put back later: {shown(envelope)}"
    raise TypeError(msg)


def _fields(names: tuple[str, ...]) -> Parts:
    if not names:
        return lambda _: ()
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda it: (get(it),)
    return get


def _entries(value: object) -> Sequence[object]:
    mapping = cast("Mapping[object, object]", value)  # its type says so
    return [*mapping, *mapping.values()]


def _worth(value: object) -> Sequence[object]:
    slip = cast("Slip", value)  # nothing else is given to it
    return [slip.holder, slip.peek()]


def _closure(function: FunctionType) -> Sequence[object]:
    cells = function.__closure__ or ()
    defaults = function.__defaults__, function.__kwdefaults__
    return [function.__code__, *defaults, *(cell.cell_contents for cell in cells)]


# Each is called with a value of the type that it stands beside.
_ITEMS: Final = cast("Parts", tuple)
_PARTS: Final[tuple[tuple[tuple[type, ...], Parts], ...]] = (
    ((tuple, list), _ITEMS),
    ((deque,), lambda it: [cast("deque[object]", it).maxlen, *cast("deque[object]", it)]),
    ((Mapping,), _entries),
    ((Ref,), lambda it: [cast("Ref[object, object]", it).mailbox]),
    ((DispatchedActor, Agenda), _fields(("mailbox",))),
    ((Alarm,), _fields(("key", "message"))),  # whether it counts, its slip or its timer says
    ((Success,), lambda it: [cast("Success[object]", it).unwrap()]),
    ((Failure,), lambda it: [cast("Failure[object]", it).failure()]),
    ((FunctionType,), lambda it: _closure(cast("FunctionType", it))),
    ((MethodType,), _fields(("__func__", "__self__"))),
    ((partial,), _fields(("func", "args", "keywords"))),
)
