"""One number for what is made alike, another for everything else."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from gapless.actors.runtime import ActorSystem, SteppedDispatcher
from gapless.testing.explorer.numbers import MOST_LOOSE, Numbers
from gapless.typings.outcome import Failure, Success
from tests.explore.kit import Office


class Pair(Struct, frozen=True):
    one: object
    other: object = None


class Twin(Struct, frozen=True):
    one: object
    other: object = None


class Open(Struct):
    inside: object


@dataclasses.dataclass(frozen=True)
class Plain:
    inside: object


class Hue(Enum):
    RED = 1
    CRIMSON = 2


class Mark(str):  # noqa: SLOT000 - that is the point
    """A text that may carry more than its letters."""


class Odd:
    """Equal to everything, and told apart all the same."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


def saying(what: object) -> Callable[[], object]:
    return lambda: what


def shouting(what: object) -> Callable[[], object]:
    return lambda: [what]


UNLIKE: list[object] = [
    *[None, True, False, 0, 1, 0.0, -0.0, 1.0, float("nan"), "", "1", b"1", (), (1,), (True,)],
    *[[], [1], [1, 2], [2, 1], set[int](), {1}, {1.0}, frozenset[int](), frozenset({1})],
    *[{}, {1: 2}, {2: 1}, {1: 1, 2: 2}, {2: 2, 1: 1}, MappingProxyType({1: 2}), (1, 2), (1, (2,))],
    *[Pair(1), Pair(1, 2), Pair(Pair(1), 2), Twin(1), Twin(1, 2), Open(1), Open(2)],
    *[Plain(1), Plain(2), Plain([]), Success(1), Failure(1), Hue.RED, Hue.CRIMSON, int, str],
    *[saying(1), saying(2), shouting(1), partial(saying, 1), partial(saying, what=1)],
    *[
        deque([1]),
        deque([1], maxlen=2),
        len,
        "text".upper,
        list[int]().append,
        Odd(),
        Odd(),
        Mark("1"),
    ],
]


def test_what_is_made_otherwise_has_another_number() -> None:
    numbers = Numbers()
    assert len({numbers.of(value) for value in UNLIKE}) == len(UNLIKE)
    assert len({numbers.of(value) for value in UNLIKE}) == len(UNLIKE)


ALIKE: dict[str, Callable[[], object]] = {
    "tuples": lambda: (1, "a", (b"b", None)),
    "lists": lambda: [1, [2, [3]]],
    "mappings": lambda: {"a": [1], "b": Pair({}, MappingProxyType({1: 2}))},
    "structs": lambda: Pair(Twin((1,), [Open(2)]), 1.5),
    "dataclasses": lambda: Plain(Plain(frozenset({1, 2}))),
    "functions": lambda: saying((1, [2])),
    "partials": lambda: partial(saying, Pair(1)),
    "outcomes": lambda: (Success(Pair(1)), Failure(Pair(2))),
    "not-a-number": lambda: float("nan"),
}


@pytest.mark.parametrize("make", ALIKE.values(), ids=ALIKE.keys())
def test_what_is_made_alike_has_one_number(make: Callable[[], object]) -> None:
    numbers = Numbers()
    assert numbers.of(make()) == numbers.of(make())
    assert not numbers.strangers


def test_an_actor_is_numbered_by_its_place() -> None:
    numbers, system = Numbers(), ActorSystem(SteppedDispatcher())
    one, other = Office(), Office()
    refs = system.spawn(lambda: one), system.spawn(lambda: other)
    assert numbers.of(refs[0]) == numbers.of(one.me) != numbers.of(refs[1])
    assert numbers.of(saying(one)) == numbers.of(saying(one)) != numbers.of(saying(other))
    system.dispatcher.close()


def test_the_order_of_a_set_is_none() -> None:
    """0 and 8 fall into one place of a small table, so they stand there as they came."""
    numbers = Numbers()
    assert [*{0, 8}] != [*{8, 0}]
    assert numbers.of({0, 8}) == numbers.of({8, 0})


def test_what_changes_is_seen_to_have_changed() -> None:
    numbers, inside = Numbers(), [1]
    for holder in (
        inside,
        (inside,),
        (inside, (1, "solid")),
        Pair({"a": inside}),
        Pair(Pair({"a": Pair({"b": inside})})),
        Plain((inside,)),
        saying(inside),
    ):
        before = numbers.of(holder)
        inside.append(2)
        assert numbers.of(holder) != before
        inside.pop()
        assert numbers.of(holder) == before


def test_what_equals_what_was_there_is_seen_to_be_another() -> None:
    numbers, inside = Numbers(), {"a": 1}
    holder = Pair(inside)
    before = numbers.of(holder)
    inside["a"] = True
    assert numbers.of(holder) != before


def test_a_function_is_what_it_closes_over_now() -> None:
    def counter() -> tuple[Callable[[], int], Callable[[], None]]:
        count = 0

        def more() -> None:
            nonlocal count
            count += 1

        return (lambda: count), more

    numbers, (count, more) = Numbers(), counter()
    before = numbers.of((count,))
    more()
    assert numbers.of((count,)) != before


trees = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.builds(Pair, inner, inner)
        | st.dictionaries(st.sampled_from("xy"), inner)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("remembered", [MOST_LOOSE, 2])
@given(values=st.lists(trees, max_size=12))
def test_numbers_are_equal_where_the_texts_are(remembered: int, values: list[object]) -> None:
    """Temporary ones, too: an address that is used again is not the value that was there."""

    def copies() -> Iterator[object]:
        for value in values:
            yield eval(repr(value), {"Pair": Pair})  # noqa: S307 - our own

    numbers = Numbers(remembered)
    texts: dict[int, str] = {}
    for copy in [*copies(), *copies()]:
        assert texts.setdefault(numbers.of(copy), repr(copy)) == repr(copy)
    temporary = {numbers.of(copy) for copy in copies()}
    assert temporary == set(texts)
    assert len(texts) == len(set(texts.values()))
