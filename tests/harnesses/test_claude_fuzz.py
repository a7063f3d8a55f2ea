"""Whatever is sent is read, or found to be unreadable: nothing raises, and nothing is slow.

Of hooks, of rows of the log and of status files alike.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from gapless.harnesses.claude import read_hook, read_log, read_status
from gapless.harnesses.payload import LONGEST_NAME, Unreadable
from gapless.typings.outcome import Failure, Success
from tests.support.claude import Json, Payload, call, event, prompt, stop, task
from tests.support.mutate import mutant, places, put

TESTS = Path(__file__).parents[1]
OTHERS = TESTS.parents[1] / "shared" / "streams"
SEED = 6


READERS = {"hook": read_hook, "log": read_log, "status": read_status}


class Sent(NamedTuple):
    """What was sent, and by which of a CLI's three ways."""

    way: str
    payload: Payload


def sent() -> list[Sent]:
    """Return what our recordings have, and what real CLIs sent where it lies beside us."""
    found: list[Sent] = []
    for path in sorted((TESTS / "recordings").glob("*/*.jsonl")):
        rows = map(json.loads, path.read_text().splitlines())
        found.extend(Sent(way, row[way]) for row in rows for way in READERS if way in row)
    for path in sorted(OTHERS.glob("claude*.jsonl")):
        rows = map(json.loads, path.read_text().splitlines())
        found.extend(Sent("hook", row["event"]) for row in rows)
    return [it for it in found if len(json.dumps(it.payload)) <= 16_384]


class Mutant(NamedTuple):
    """Something of ``Sent`` that was changed."""

    way: str
    payload: Json


def mutants(count: int) -> Iterator[Mutant]:
    chance, real = Random(SEED), sent()  # noqa: S311 - the same again
    values = [value for it in real for value in it.payload.values()]
    for _ in range(count):
        way, payload = chance.choice(real)
        yield Mutant(way, mutant(payload, chance, values))


def assert_read(what: Mutant) -> bool:
    """Read it; what comes of it can be written down. Return whether it could be read."""
    outcome = READERS[what.way](what.payload)
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
    figures.append(f"5,000 mutants of {len(sent())} payloads, {readable:,} of them readable")


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
def test_a_million_mutants(figures: list[str]) -> None:
    readable = sum(map(assert_read, mutants(1_000_000)))
    figures.append(f"1,000,000 mutants of {len(sent())} payloads, {readable:,} readable")


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


def assert_costs_no_more_than_itself(what: Mutant) -> None:
    tracemalloc.start()
    try:
        outcome = READERS[what.way](what.payload)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(outcome, Success | Failure)
    assert peak < 64 << 20


@pytest.mark.parametrize("name", GIANTS)
def test_a_giant_costs_no_more_than_itself(name: str) -> None:
    assert_costs_no_more_than_itself(Mutant("hook", GIANTS[name]))


def giants(count: int) -> Iterator[Mutant]:
    """Return what was really sent, with a giant in the place of one thing."""
    chance, real = Random(SEED), sent()  # noqa: S311 - the same again
    parts: list[Json] = [
        "x" * 10_000_000,
        "[Request interrupted by user]" * 350_000,
        deep(100_000),
        10**1_000_000,
        [{"type": "tool_result", "tool_use_id": f"t{it}"} for it in range(100_000)],
    ]
    for number in range(count):
        way, payload = chance.choice(real)
        place = chance.choice(places(payload))
        yield Mutant(way, put(payload, place, parts[number % len(parts)]))


def test_wherever_a_giant_is_it_costs_no_more_than_itself() -> None:
    for what in giants(30):
        assert_costs_no_more_than_itself(what)


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
def test_three_hundred_giants(figures: list[str]) -> None:
    for what in giants(300):
        assert_costs_no_more_than_itself(what)
    figures.append("300 giants of up to 10 MB, each within its time and 64 MB")
