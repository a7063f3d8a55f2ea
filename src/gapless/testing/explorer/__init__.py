"""A model checker for actors: every state of a small scenario, and the shortest way to a wrong one.

The real actors run, on the stepped dispatcher and a clock that is moved by hand. What is public is
named in ``gapless.testing``.
"""

from __future__ import annotations

from gapless.testing.explorer.errors import TooLarge, Violation
from gapless.testing.explorer.scenario import Move, Scenario
from gapless.testing.explorer.steps import Deliver, Fault, Make, SendLate, Step, Wait
from gapless.testing.explorer.walk import Walk, explore, replay

__all__ = [
    "Deliver",
    "Fault",
    "Make",
    "Move",
    "Scenario",
    "SendLate",
    "Step",
    "TooLarge",
    "Violation",
    "Wait",
    "Walk",
    "explore",
    "replay",
]
