"""Long runs: a life of 200 inputs, any schedule, faults on the way, and the oracle beside it."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from gapless.actors.runtime.dispatch import Runnable
from gapless.messages.inputs import ResyncAsked
from gapless.testing.model import model
from gapless.typings.reading import read
from tests.heart.chance import Life
from tests.heart.lab import Break, Lab

INPUTS: Final = 200
FAULTS: Final = tuple(Break)


class Run(NamedTuple):
    """How much one run went through."""

    rows: int
    faults: int
    compared: int


def run(seed: int, inputs: int = INPUTS) -> Run:
    """Live a life, and compare each view with the oracle, but while something is lost.

    Raises:
        AssertionError: they differ; it names the seed and the row.

    """
    chance, lab = Random(seed), Lab()  # noqa: S311 - it is to be the same again
    life, faults = Life(chance, lab), 0

    def sometimes(mailbox: Runnable) -> None:
        nonlocal faults
        if chance.random() < 0.01:
            lab.break_next(mailbox, chance.choice(FAULTS))
            faults += 1
        if lab.late and chance.random() < 0.2:
            lab.send_late()

    for _ in range(inputs):
        gap_ms = life.gap_ms()
        if gap_ms:
            lab.until(lab.clock.now_ms() + gap_ms)
        lab.tell(life.says())
        if chance.random() < 0.7:  # else more comes meanwhile
            lab.settle(chance.choice, sometimes)
    lab.settle(chance.choice)
    return Run(len(lab.rows), faults, compare(lab, seed))


def compare(lab: Lab, seed: int) -> int:
    """Compare what was published with the oracle; return how many views that were.

    What is in doubt is not compared, for the oracle knows of no doubts. If a doubt lasted, what
    follows is not either: what came meanwhile was taken on what was known then.
    """
    doubted_ms: int | None = None
    compared = 0
    expected = model(lab.rows, lab.settings)
    for row, view, reading in zip(lab.rows, lab.views, expected, strict=True):
        resent = isinstance(row.what, ResyncAsked)
        if doubted_ms is not None and (row.at_ms != doubted_ms or not resent):
            return compared
        if row.lost:
            doubted_ms = row.at_ms
        elif resent and not row.void:
            doubted_ms = None
        if doubted_ms is None:
            compared += 1
            assert read(view) == reading, f"seed {seed}: the oracle reads otherwise at {row}"
    return compared
