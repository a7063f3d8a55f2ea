"""Tools to test what is built with Gapless, and Gapless itself."""

from __future__ import annotations

from gapless.testing.explorer import (
    Deliver,
    Fault,
    Make,
    Move,
    Scenario,
    SendLate,
    Step,
    TooLarge,
    Violation,
    Wait,
    Walk,
    explore,
    replay,
)
from gapless.testing.story import Story

__all__ = [
    "Deliver",
    "Fault",
    "Make",
    "Move",
    "Scenario",
    "SendLate",
    "Step",
    "Story",
    "TooLarge",
    "Violation",
    "Wait",
    "Walk",
    "explore",
    "replay",
]
