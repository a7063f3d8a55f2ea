"""What real CLIs sent, late, twice, or not all of it: the same end, and nothing false on the way.

The streams are not part of this project; where they lie beside it they are read.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.disorder import Event, assert_order_does_not_matter, judge, live, pairs

STREAMS = sorted(Path(__file__).parents[3].glob("shared/streams/claude*.jsonl"))
SHUFFLES = 10

needs_streams = pytest.mark.skipif(not STREAMS, reason="there are no streams beside this folder")


def events(stream: Path, *, ended: bool = False) -> list[Event]:
    """Return a stream; without its end, after which all sessions are alike."""
    rows = [json.loads(row) for row in stream.read_text().splitlines()]
    begins_ms = min(row["at_ms"] for row in rows)
    sent = [Event(row["at_ms"] - begins_ms, row["event"]) for row in rows]
    return [it for it in sent if ended or it.name != "SessionEnd"]


def tells_alone(lost: Event, left: list[Event]) -> bool:
    """Whether nothing else tells it: that a turn is over, or of a turn at all."""
    if lost.name in {"Stop", "StopFailure"}:
        return True
    prompt = lost.payload.get("prompt_id")
    alone = all(it.payload.get("prompt_id") != prompt for it in left)
    return lost.name == "UserPromptSubmit" and alone


@needs_streams
@pytest.mark.parametrize("stream", STREAMS, ids=lambda it: it.stem)
def test_in_whatever_order_they_come_the_end_is_the_same(stream: Path) -> None:
    assert_order_does_not_matter(events(stream), SHUFFLES)


@needs_streams
@pytest.mark.parametrize("stream", STREAMS, ids=lambda it: it.stem)
def test_whichever_is_lost_the_end_is_the_same_unless_it_alone_told(stream: Path) -> None:
    real = events(stream)
    expected = live(real).at_last
    for place, lost in enumerate(real):
        left = [*real[:place], *real[place + 1 :]]
        lived = live(left) if left else None
        if lived is not None:
            judge(left, lived.answers)
            assert tells_alone(lost, left) or lived.at_last == expected, lost


@needs_streams
def test_most_events_that_are_near_each_other_are_not_ordered(figures: list[str]) -> None:
    near = [it for stream in STREAMS for it in pairs(events(stream, ended=True))]
    share = near.count(False) / len(near)
    figures.append(f"{share:.0%} of {len(near)} pairs within 2 s are unordered (real streams)")
    assert share >= 0.3
