"""The walk and every schedule run from its beginning: they find the same."""

from __future__ import annotations

from functools import partial
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapless.testing import Fault, Move, Walk, explore
from tests.explore.kit import Begin, Naive, Network, Post

HOPS = 4
"""How far the post of one network goes altogether; the reference pays for each step doubly."""


@st.composite
def letters(draw: st.DrawFn, late: st.SearchStrategy[int | None]) -> tuple[int, Begin]:
    offices = draw(st.integers(1, 3))
    place = st.integers(0, offices - 1)
    left, sent = HOPS, Begin()
    while left:
        route = tuple(draw(st.lists(place, max_size=left - 1)))
        left -= 1 + len(route)
        name = "abcd"[len(sent)]
        sent.append((draw(place), Post(name=name, route=route, late_ms=draw(late))))
        if draw(st.booleans()):
            break
    return offices, sent


def both(make: partial[Network], fault: Fault | None = None) -> tuple[Walk, Network, Naive]:
    """Walk, keeping the scenario, which keeps what it saw for the test alone."""
    kept = make()
    return explore(lambda: kept, fault=fault), kept, Naive(make, fault)


def agree(make: partial[Network], fault: Fault | None = None) -> None:
    walk, kept, naive = both(make, fault)
    assert walk.interleavings == naive.schedules
    assert kept.final == naive.final
    assert kept.seen == naive.seen


@given(letters(st.none() | st.sampled_from([0, 5, 9])))
def test_it_finds_what_running_every_schedule_finds(sent: tuple[int, Begin]) -> None:
    agree(partial(Network, *sent))


@pytest.mark.parametrize("fault", Fault)
@settings(max_examples=40)
@given(sent=letters(st.none() | st.sampled_from([0, 5])))
def test_it_finds_what_every_schedule_with_a_fault_finds(
    fault: Fault, sent: tuple[int, Begin]
) -> None:
    agree(partial(Network, sent[0], sent[1][:2]), fault)


@pytest.mark.parametrize(("m", "n"), [(0, 0), (1, 0), (1, 1), (2, 3), (5, 4)])
def test_two_independent_backlogs_make_a_grid(m: int, n: int) -> None:
    first = Post(name="first")
    backlog = [*[(0, first)] * m, *[(1, first)] * n]

    class Filled(Network):
        def moves(self) -> list[Move]:
            return [Move("all", self._all)]

        def _all(self) -> None:
            for place, post in backlog:
                self.refs[place].tell(post)

    walk = explore(lambda: Filled(2, []))
    assert walk.states == 1 + (m + 1) * (n + 1)
    assert walk.edges == 1 + m * (n + 1) + n * (m + 1)
    assert walk.interleavings == comb(m + n, m)
    assert walk.depth == 1 + m + n
    assert walk.rests == 1


def test_moves_race_with_each_other() -> None:
    walk = explore(lambda: Network(1, [(0, Post(name=name)) for name in "abc"]))
    assert walk.rests == factorial(3)
    assert (
        walk.interleavings == factorial(3) * 5
    )  # orders of sending, and of taking what was sent: Dyck paths
