"""A real session's state agrees with the CLI's own status file, with its rows withheld and given.

The file is a second behind the hooks, or ahead of them, so disagreement counts only once it has
lasted longer than its delay. Withheld, nothing tells of an Esc until the next event; that is left
out, and counted. The streams are not part of this project; where they lie beside it they are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from gapless.recordings import Line, Player, parse
from gapless.typings.outcome import Success
from tools.streams import Mark, marks, recording

FOLDER = Path(__file__).parents[3] / "shared" / "streams"
WITH_FILE = [
    it
    for it in sorted(FOLDER.glob("claude*.jsonl"))
    if any(isinstance(mark.status, dict) for mark in marks(it))
]
LAG_MS: Final = 2_500
STEP_MS: Final = 100
STATES: Final = {"busy": "working", "idle": "done", "shell": "done", "waiting": "waiting"}


class Shares(NamedTuple):
    """How many of the samples disagree: within the delay, left out, and for good."""

    samples: int
    lag: int
    left_out: int
    wrong: list[tuple[int, str, str]]


def play(player: Player, row: object) -> str:
    outcome = parse(json.dumps(row).encode(), first=False)
    assert isinstance(outcome, Success), outcome
    line = outcome.unwrap()
    assert isinstance(line, Line), line
    answer = player.play(line).answer
    return "unseen" if answer is None else answer.state


def samples(stream: Path, *, given: bool) -> Iterator[tuple[int, str, str]]:
    """Return each tenth of a second's time, the file's word, and our state."""
    rows = list(recording(stream))[1:]
    player, word = Player(), ""
    for now_ms in range(0, int(str(rows[-1]["at_ms"])) + 1, STEP_MS):
        while rows and int(str(rows[0]["at_ms"])) <= now_ms:
            row = rows.pop(0)
            content = row.get("status")
            if isinstance(content, dict):
                word = str(content.get("status") or "")
            if given or content is None:
                play(player, row)
        state = play(player, {"at_ms": now_ms, "session": "s"})
        if word:
            yield now_ms, word, state


def is_cut(told: list[Mark], events: list[int], now_ms: int) -> bool:
    """Whether an Esc or a kill was the last thing that happened, and no event came since."""
    keys = ("key Escape", "key C-c", "kill")
    cuts = [it.at_ms for it in told if it.text.startswith(keys) and it.at_ms <= now_ms]
    return bool(cuts) and not any(cuts[-1] < it <= now_ms for it in events)


def compare(stream: Path, *, given: bool) -> Shares:
    told, rows = marks(stream), list(recording(stream))[1:]
    first = json.loads(stream.read_text().splitlines()[0])["at_ms"]
    shift_ms = next(int(str(it["at_ms"])) for it in rows if "hook" in it) - first
    told = [Mark(it.at_ms + shift_ms, it.text) for it in told]
    events = [int(str(it["at_ms"])) for it in rows if "hook" in it]
    count = lag = left_out = 0
    wrong: list[tuple[int, str, str]] = []
    changed_ms, before = 0, ("", "")
    for now_ms, word, state in samples(stream, given=given):
        count += 1
        if (word, state) != before:
            changed_ms, before = now_ms, (word, state)
        if STATES.get(word) == state:
            continue
        if not given and is_cut(told, events, now_ms):
            left_out += 1
        elif now_ms - changed_ms <= LAG_MS:
            lag += 1
        else:
            wrong.append((now_ms, word, state))
    return Shares(count, lag, left_out, wrong)


@pytest.mark.skipif(not WITH_FILE, reason="there are no streams with a status file beside this")
@pytest.mark.parametrize("given", [False, True], ids=["withheld", "given"])
@pytest.mark.parametrize("stream", WITH_FILE, ids=lambda it: it.stem)
def test_the_state_agrees_with_the_file(stream: Path, figures: list[str], *, given: bool) -> None:
    shares = compare(stream, given=given)
    figures.append(
        f"{stream.stem}, status {'given' if given else 'withheld'}: "
        f"{shares.left_out / shares.samples:.1%} left out after Esc, "
        f"{shares.lag / shares.samples:.1%} within its delay, {len(shares.wrong)} disagree"
    )
    assert not shares.wrong
    assert shares.left_out <= 0.1 * shares.samples
