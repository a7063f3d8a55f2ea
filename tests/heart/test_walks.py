"""Every state that a race of the heart can reach, and again with each fault at every step.

The counts are pinned: whoever changes one explains it. The walks with faults take minutes: ``make
walks`` runs them, two at a time; they are not among the tests that run by default. ``make explore``
goes through larger ones.
"""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from itertools import product
from typing import NamedTuple, TypeAlias

import pytest

from gapless.testing import Fault, Walk, explore
from tests.heart.ahead import asked_for
from tests.heart.pinned import PINNED
from tests.heart.pinned_larger import LARGER_PINNED
from tests.heart.scenarios import LARGER, SCENARIOS

MOST_STATES = 1_000_000
LEAST_INTERLEAVINGS = 1_000

Pin: TypeAlias = tuple[int, int, int, int | None, int]


class Errand(NamedTuple):
    """A walk to be made in another process: of which scenario, with how many of which fault."""

    name: str
    fault: str = "none"
    faults: int = 1


def walk(errand: Errand) -> Walk:
    """Walk; also in a process of its own."""
    scenario = next(it for it in (*SCENARIOS, *LARGER) if it.__name__ == errand.name)
    fault = None if errand.fault == "none" else Fault[errand.fault]
    return explore(scenario, fault=fault, faults=errand.faults, most_states=MOST_STATES)


def pin(walked: Walk) -> Pin:
    return (walked.states, walked.edges, walked.depth, walked.interleavings, walked.rests)


def id_of(errand: Errand) -> str:
    return f"{errand.name}-{errand.fault}-{errand.faults}"


NAMES = [it.__name__ for it in SCENARIOS]
FAULTY = [Errand(name, fault.name) for fault, name in product(Fault, NAMES)]
FAR = [
    *(Errand(it.__name__) for it in LARGER),
    *(Errand(it.__name__, Fault.RAISES_ONCE.name) for it in LARGER),
    *(Errand(name, Fault.RAISES_ONCE.name, 2) for name in NAMES),
    *(Errand(name, Fault.LOSES.name, 2) for name in NAMES),
]


@pytest.fixture(scope="module")
def begun(pool: ProcessPoolExecutor, request: pytest.FixtureRequest) -> dict[Errand, Future[Walk]]:
    """All walks that the tests of this run ask for, begun at once."""
    return {it: pool.submit(walk, it) for it in asked_for(request, "errand", Errand)}


@pytest.mark.parametrize("name", NAMES)
def test_in_every_state_of_a_race_all_promises_hold(name: str, figures: list[str]) -> None:
    walked = walk(Errand(name))
    figures.append(str(walked))
    assert pin(walked) == PINNED[name, "none"]
    assert walked.interleavings is None or walked.interleavings >= LEAST_INTERLEAVINGS


@pytest.mark.walks
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("errand", FAULTY, ids=id_of)
def test_with_a_fault_at_any_step_they_hold_as_well(
    begun: dict[Errand, Future[Walk]], errand: Errand, figures: list[str]
) -> None:
    walked = begun[errand].result()
    figures.append(str(walked))
    assert pin(walked) == PINNED[errand.name, errand.fault]


@pytest.mark.explore
@pytest.mark.timeout(5_400)
@pytest.mark.parametrize("errand", FAR, ids=id_of)
def test_in_larger_races_and_with_two_faults_they_hold(
    begun: dict[Errand, Future[Walk]], errand: Errand, figures: list[str]
) -> None:
    walked = begun[errand].result()
    figures.append(f"{walked}, with up to {errand.faults} faults")
    assert pin(walked) == LARGER_PINNED[errand]
