"""Every state that a race of the heart can reach, and again with each fault at every step.

The counts are pinned: whoever changes one explains it. The walks with faults take a quarter of an
hour: ``make walks`` runs them, two at a time; they are not among the tests that run by default.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import pytest

from gapless.testing import Fault, explore
from tests.heart.pinned import PINNED
from tests.heart.scenarios import SCENARIOS

MOST_STATES = 100_000


class Figures(NamedTuple):
    states: int
    edges: int
    depth: int
    interleavings: int | None
    rests: int


def walk(name: str, fault: Fault | None) -> Figures:
    """Walk; also in a process of its own."""
    scenario = next(it for it in SCENARIOS if it.__name__ == name)
    done = explore(scenario, fault=fault, most_states=MOST_STATES)
    return Figures(done.states, done.edges, done.depth, done.interleavings, done.rests)


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """Two processes, which log nothing of the faults that are caused in them."""
    with ProcessPoolExecutor(
        2,
        mp_context=get_context("spawn"),
        initializer=logging.disable,
        initargs=(logging.CRITICAL,),
    ) as executor:
        yield executor


@pytest.fixture(scope="module")
def faulty(
    pool: ProcessPoolExecutor, request: pytest.FixtureRequest
) -> dict[tuple[str, str], Future[Figures]]:
    """All walks with faults that are asked for, begun at once."""
    asked = {item.name for item in request.session.items}
    return {
        (scenario.__name__, fault.name): pool.submit(walk, scenario.__name__, fault)
        for scenario in SCENARIOS
        for fault in Fault
        if any(f"[{scenario.__name__}-{fault.name}]" in name for name in asked)
    }


names = pytest.mark.parametrize("name", [it.__name__ for it in SCENARIOS])


@names
def test_in_every_state_of_a_race_all_promises_hold(name: str) -> None:
    figures = walk(name, None)
    assert figures == PINNED[name, "none"]
    assert figures.interleavings is None or figures.interleavings >= 1_000


@pytest.mark.walks
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("fault", [it.name for it in Fault])
@names
def test_with_a_fault_at_any_step_they_hold_as_well(
    faulty: dict[tuple[str, str], Future[Figures]], name: str, fault: str
) -> None:
    figures = faulty[name, fault].result()
    assert figures == PINNED.get((name, fault), figures)
