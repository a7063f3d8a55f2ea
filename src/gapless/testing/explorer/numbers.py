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
* What else there is counts by identity, because nobody can say what it is; and by its attributes,
  so that to change one is seen. ``strangers`` are its types, because a state that holds a new
  one each time is never seen twice. What only a function knows is not looked into: it is the world.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from operator import is_
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Final, NamedTuple, TypeAlias, cast, final

from msgspec import Struct

from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.seams import Envelope
from gapless.actors.runtime.slips import NOTHING, Samples, Slip
from gapless.testing.explorer.parts import (
    ATOMS,
    FUNCTIONS,
    Parts,
    among,
    attributes_of,
    is_solid,
    items_of,
    parts_of,
    with_attributes,
)

Shape: TypeAlias = Callable[[object], int]

MOST_LOOSE: Final = 50_000
"""So many values that hold something that can change are remembered; then that begins anew."""

_ALONE: Final = (Enum, type, CodeType, BuiltinFunctionType, ModuleType, Mailbox, Samples)
"""What is one of its kind: identity is its structure."""


class Leaf(NamedTuple):
    """Something that can change, and what it held when it was looked into."""

    value: object
    parts: Parts
    inside: Sequence[object]

    def changed(self) -> bool:
        """Whether it holds something else now."""
        now = self.parts(self.value)
        return len(now) != len(self.inside) or not all(map(is_, now, self.inside))


class _Loose(NamedTuple):
    """A value that holds leaves, and its number."""

    value: object
    number: int
    leaves: Sequence[Leaf]


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
        self._leaves: list[Leaf] = []  # of the value that is being numbered
        self._deep: bool = True  # not within a function
        self._open: set[int] = set()  # the strangers that are being numbered
        self._shapes: dict[type, Shape] = {Slip: self._slip}
        self._alone(NOTHING)

    def of(self, value: object) -> int:
        """Return the number of a value."""
        number = self._known.get(id(value))
        if number is not None:
            return number
        loose = self._loose.get(id(value))
        if loose is not None and not any(map(Leaf.changed, loose.leaves)):
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

    def _slip(self, value: object) -> int:
        """Return the number of a slip: it is worth what its holder says now."""
        slip = cast("Slip", value)  # its shape says so
        self._leaves.append(Leaf(slip, _worth, _worth(slip)))
        return self.count((Slip, self.of(slip.holder), self.of(slip.peek())))

    def _remember(self, loose: _Loose) -> None:
        if len(self._loose) == self._most_loose:
            self._loose.clear()
        self._loose[id(loose.value)] = loose

    def _alone(self, value: object) -> int:
        number = self._known[id(value)] = self._identity(value)
        return number

    def _identity(self, value: object) -> int:
        number = self.count((Numbers, id(value)))
        self._first[number] = value
        return number

    def _stranger(self, kind: type[object]) -> Shape:
        """Count by identity and by attributes; one that holds itself ends there."""
        attributes = attributes_of(kind)
        if hasattr(kind, "__next__"):
            return _used_up
        if attributes is None:
            return self._lone_stranger

        def shape(value: object) -> int:
            self.strangers.add(kind)
            number = self._identity(value)
            if not self._deep or number in self._open:
                return number
            self._open.add(number)
            inside = attributes(value)
            self._leaves.append(Leaf(value, attributes, inside))
            inner = tuple(map(self.of, inside))
            self._open.discard(number)
            return self.count((number, *inner))

        return shape

    def _lone_stranger(self, value: object) -> int:
        self.strangers.add(type(value))
        return self._alone(value)

    def _shape_of(self, kind: type[object]) -> Shape:
        if among(kind, Envelope):
            return _refused
        if among(kind, *_ALONE):
            return self._alone
        base = next((it for it in ATOMS if among(kind, it)), None)
        if base is not None:
            return self._atom(kind, base)
        if among(kind, AbstractSet):
            return self._composite(kind, with_attributes(kind, items_of(kind)), ordered=False)
        parts = parts_of(kind)
        return self._stranger(kind) if parts is None else self._composite(kind, parts)

    def _atom(self, kind: type[object], base: type[object]) -> Shape:
        """Take texts and numbers for the value that the built-in type sees in them."""
        plain, attributes = ATOMS[base], attributes_of(kind)
        if attributes is not None:
            return self._composite(kind, lambda it: [plain(it), *attributes(it)])
        if kind is base and base is not float:
            return lambda atom: self.count((kind, atom))
        return lambda atom: self.count((kind, plain(atom)))

    def _composite(self, kind: type[object], parts: Parts, *, ordered: bool = True) -> Shape:
        of, known, numbers = self.of, self._known, self._numbers
        solid = is_solid(kind)
        holds = among(kind, tuple, frozenset, Struct)  # what it holds lives as long as it does
        function = among(kind, *FUNCTIONS)

        def shape(value: object) -> int:
            outer, self._leaves = self._leaves, []
            deep, self._deep = self._deep, self._deep and not function
            inside = parts(value)
            inner = tuple(map(of, inside))
            self._deep = deep
            if not solid:
                self._leaves.append(Leaf(value, parts, inside))
            leaves, self._leaves = self._leaves, outer
            key = (kind, *inner) if ordered else (kind, *sorted(inner))
            number = numbers.get(key)
            new = number is None
            if number is None:
                number = numbers[key] = len(numbers)
            if leaves:
                outer.extend(leaves)
                if deep:
                    self._remember(_Loose(value, number, leaves))
            elif new:
                self._first[number] = value
                known[id(value)] = number
                if holds:
                    known.update(zip(map(id, inside), inner, strict=True))
            return number

        return shape


def _used_up(value: object) -> int:
    msg = f"what is left of an iterator cannot be seen, nor put back: {shown(value)}"
    raise TypeError(msg)


def _refused(envelope: object) -> int:
    msg = f"an ask or a stop waits, which cannot be put back later: {shown(envelope)}"
    raise TypeError(msg)


def _worth(value: object) -> Sequence[object]:
    slip = cast("Slip", value)  # nothing else is given to it
    return [slip.holder, slip.peek()]
