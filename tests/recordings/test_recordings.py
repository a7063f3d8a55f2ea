"""Recorded sessions with right answers: this project's own, and others where there are any."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from gapless.recordings import Answered, Header, Player, parse
from gapless.recordings.inputs import HOOKS
from gapless.typings.outcome import Success

HERE = Path(__file__).parent
OWN = sorted(HERE.glob("*/*.jsonl"))
OTHERS = sorted(
    it
    for folder in ("harnesses", "holds")
    for it in (HERE.parents[2] / "shared" / "cases" / folder).glob("*.jsonl")
)


class Recording(NamedTuple):
    header: Header
    answers: list[Answered]

    @property
    def is_read(self) -> bool:
        """Whether this version has an adapter for its harness, or needs none."""
        return self.header.harness in {*HOOKS, "none"}


def replayed(path: Path) -> Recording:
    player = Player()
    headers, answers = list[Header](), list[Answered]()
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        outcome = parse(text, first=number == 1)
        assert isinstance(outcome, Success), f"{path.name}:{number}: {outcome}"
        match outcome.unwrap():
            case Header() as header:
                headers.append(header)
            case found:
                answers.append(player.play(found))
    return Recording(headers[0], answers)


def assert_as_expected(recording: Recording) -> None:
    for it in recording.answers:
        assert not it.trouble, it
        assert not it.differences, (it.at_ms, it.said, it.differences, it.because)


@pytest.mark.parametrize("path", OWN, ids=lambda it: it.stem)
def test_every_answer_is_the_expected_one(path: Path) -> None:
    recording = replayed(path)
    assert recording.header.case == path.stem
    assert recording.is_read
    assert_as_expected(recording)


def test_what_is_recorded_here_is_worth_it(figures: list[str]) -> None:
    lines = sum(len(it.read_bytes().splitlines()) - 1 for it in OWN)
    figures.append(f"{len(OWN)} recordings of this project, {lines} lines")
    assert len(OWN) >= 40


@pytest.mark.skipif(not OTHERS, reason="there are no other recordings beside this folder")
def test_other_recordings_are_as_expected(figures: list[str]) -> None:
    read = [it for it in map(replayed, OTHERS) if it.is_read]
    for recording in read:
        assert_as_expected(recording)
    lines = sum(len(it.answers) for it in read)
    figures.append(f"{len(read)} of {len(OTHERS)} other recordings, {lines} lines")
    assert read
