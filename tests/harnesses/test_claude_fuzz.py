"""Whatever a hook sends is read, or found to be unreadable: nothing raises, and nothing is slow."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from gapless.harnesses.claude import read_hook
from gapless.harnesses.payload import LONGEST_NAME, Unreadable
from gapless.typings.outcome import Failure, Success
from tests.support.claude import Json, Payload, call, event, prompt, stop, task
from tests.support.mutate import mutant

TESTS = Path(__file__).parents[1]
OTHERS = TESTS.parents[1] / "shared" / "streams"
SEED = 6


def payloads() -> list[Payload]:
    """Return the payloads of our recordings, and real ones where there are any beside us."""
    found: list[Payload] = []
    for path in sorted((TESTS / "recordings").glob("*/*.jsonl")):
        rows = map(json.loads, path.read_text().splitlines())
        found.extend(row["hook"] for row in rows if "hook" in row)
    for path in sorted(OTHERS.glob("claude*.jsonl")):
        rows = map(json.loads, path.read_text().splitlines())
        found.extend(row["event"] for row in rows)
    return [it for it in found if len(json.dumps(it)) <= 16_384]


def mutants(count: int) -> Iterator[Json]:
    chance, real = Random(SEED), payloads()  # noqa: S311 - the same again
    values = [value for it in real for value in it.values()]
    for _ in range(count):
        yield mutant(chance.choice(real), chance, values)


def assert_read(payload: Json) -> bool:
    """Read it; what comes of it can be written down. Return whether it could be read."""
    outcome = read_hook(payload)
    match outcome:
        case Success(inputs):
            for it in inputs:
                assert len(msgspec.json.encode(it)) < 100 * LONGEST_NAME * 6 + 1_000_000
            return True
        case Failure(unreadable):
            assert isinstance(unreadable, Unreadable)
            assert unreadable.path.startswith("$")
            return False


def test_mutants_of_payloads_are_read_or_unreadable(figures: list[str]) -> None:
    readable = sum(map(assert_read, mutants(5_000)))
    figures.append(f"5,000 mutants of {len(payloads())} payloads, {readable:,} of them readable")


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
def test_a_million_mutants(figures: list[str]) -> None:
    readable = sum(map(assert_read, mutants(1_000_000)))
    figures.append(f"1,000,000 mutants of {len(payloads())} payloads, {readable:,} readable")


def deep(depth: int) -> Json:
    value: Json = 1
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value


GIANTS: dict[str, Payload] = {
    "a prompt of 10 MB": prompt("x" * 10_000_000),
    "a notification of 10 MB": prompt("<task-notification>" + "<task-id>" * 1_000_000),
    "an open tag of 10 MB": prompt(
        "<task-notification><task-id>" + "x" * 10_000_000 + "</task-notification>"
    ),
    "an id of 10 MB": event("Stop", session_id="x" * 10_000_000),
    "an input of 10 MB": call(command="x" * 10_000_000),
    "an input that is 100,000 deep": {**call(), "tool_input": deep(100_000)},
    "a list that is 100,000 deep": stop(deep(100_000)),
    "an integer of a million digits": {**call(), "tool_input": {"n": 10**1_000_000}},
    "a hundred thousand tasks": stop(*(task(f"b{it}") for it in range(100_000))),
    "a hundred thousand calls": event(
        "PostToolBatch", tool_calls=[{"tool_use_id": f"t{it}"} for it in range(100_000)]
    ),
    "a hundred thousand fields": {**stop(), **{f"f{it}": it for it in range(100_000)}},
}


@pytest.mark.parametrize("name", GIANTS)
def test_a_giant_costs_no_more_than_itself(name: str) -> None:
    tracemalloc.start()
    try:
        outcome = read_hook(GIANTS[name])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(outcome, Success | Failure)
    assert peak < 64 << 20
