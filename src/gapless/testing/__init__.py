"""Tools to test what is built with Gapless, and Gapless itself."""

from __future__ import annotations

from gapless.testing.explorer.errors import TooLarge, Violation
from gapless.testing.explorer.scenario import Move, Scenario
from gapless.testing.explorer.steps import Deliver, Fault, Make, SendLate, Step, Wait
from gapless.testing.explorer.walk import Walk, explore, replay
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
