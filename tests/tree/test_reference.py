"""The reference names everything that a host is offered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import gapless
from gapless.typings.spawning import SpawnError

PAGE = (Path(__file__).parents[2] / "docs" / "reference.md").read_text()
NAMED = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", PAGE))))


def test_every_public_name_has_its_line() -> None:
    assert set(gapless.__all__) <= NAMED


def test_every_method_has_its_line() -> None:
    for face in (gapless.Runtime, gapless.Session, gapless.Pending):
        assert {it for it in vars(face) if not it.startswith("_")} - {"settle"} <= NAMED


def test_every_cause_has_its_line() -> None:
    assert {it.__name__ for it in get_args(SpawnError)} <= NAMED
