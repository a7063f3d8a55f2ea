"""What the pages promise: the reference names everything, and the recording is as it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import gapless
from gapless.typings.spawning import SpawnError

DOCS = Path(__file__).parents[2] / "docs"
QUOTED = re.findall(r"`([^`]+)`", (DOCS / "reference.md").read_text())
NAMED = set(re.findall(r"\w+", " ".join(QUOTED)))


def test_every_public_name_has_its_line() -> None:
    assert set(gapless.__all__) <= NAMED


def test_every_method_has_its_line() -> None:
    for face in (gapless.Runtime, gapless.Session, gapless.Pending):
        assert {it for it in vars(face) if not it.startswith("_")} - {"settle"} <= NAMED


def test_every_cause_has_its_line() -> None:
    assert {it.__name__ for it in get_args(SpawnError)} <= NAMED


def test_the_recording_of_the_page_is_as_the_page_says() -> None:
    recording = (DOCS / "replay.md").read_text().partition("```json\n")[2].partition("```")[0]
    command = [sys.executable, "-m", "gapless.cli", "replay", "--check", "-"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, input=recording)
    assert done.stdout == "1 recording, 4 lines: no differences\n"
