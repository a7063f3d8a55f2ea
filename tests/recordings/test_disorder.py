"""Hooks come late, twice, or not at all: the same end, and nothing false on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.disorder import Event, assert_order_does_not_matter, judge, live, pairs

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.jsonl"))
SHUFFLES = 30

ONLY_CARRIERS = {"Stop", "StopFailure", "PermissionRequest"}
"""Events that alone tell what they tell: that a turn is over, that a person is asked."""


def events(path: Path) -> list[Event]:
    rows = [json.loads(row) for row in path.read_text().splitlines()[1:]]
    return [Event(row["at_ms"], row["hook"]) for row in rows]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda it: it.stem)
def test_in_whatever_order_they_come_the_end_is_the_same(path: Path) -> None:
    assert_order_does_not_matter(events(path), SHUFFLES)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda it: it.stem)
def test_whichever_is_lost_the_end_is_the_same_unless_it_alone_told(path: Path) -> None:
    real = events(path)
    expected = live(real).at_last
    for place, lost in enumerate(real):
        left = [*real[:place], *real[place + 1 :]]
        lived = live(left)
        judge(left, lived.answers)
        if lost.name not in ONLY_CARRIERS:
            assert lived.at_last == expected, lost


def test_most_events_that_are_near_each_other_are_not_ordered(figures: list[str]) -> None:
    near = [it for path in SESSIONS for it in pairs(events(path))]
    share = near.count(False) / len(near)
    figures.append(f"{share:.0%} of {len(near)} pairs within 2 s are unordered (own sessions)")
    assert share >= 0.3
