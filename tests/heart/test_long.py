"""Sessions of 200 inputs, in any schedule and with faults on the way, read as the oracle reads."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from tests.heart.ahead import asked_for
from tests.heart.long import Run, run

FEW, MANY = 2_000, 100_000
LOT = 250


def runs(first: int) -> Run:
    """Make a lot of runs; also in a process of its own."""
    made = [run(seed) for seed in range(first, first + LOT)]
    return Run(*(sum(column) for column in zip(*made, strict=True)))


@pytest.fixture(scope="module")
def begun(pool: ProcessPoolExecutor, request: pytest.FixtureRequest) -> dict[int, Future[Run]]:
    """All lots that the tests of this run ask for, begun at once."""
    return {it: pool.submit(runs, it) for it in asked_for(request, "first", int)}


def compared(done: Run, figures: list[str], first: int) -> None:
    figures.append(
        f"{LOT} sessions from seed {first}: {done.rows:,} inputs, {done.faults:,} faults,"
        f" {done.compared:,} views compared with the oracle"
    )
    assert done.faults > LOT
    assert done.compared > done.rows * 0.9


@pytest.mark.walks
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("first", range(0, FEW, LOT))
def test_a_long_session_reads_as_the_oracle_does(
    begun: dict[int, Future[Run]], first: int, figures: list[str]
) -> None:
    compared(begun[first].result(), figures, first)


@pytest.mark.explore
@pytest.mark.timeout(10_000)
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, LOT))
def test_very_many_long_sessions_do(
    begun: dict[int, Future[Run]], first: int, figures: list[str]
) -> None:
    compared(begun[first].result(), figures, first)
