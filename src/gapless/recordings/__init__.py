"""Recorded sessions: a bug report, a regression test and a demonstration in one file.

A recording is JSON Lines. ``parse`` reads a line, ``Player`` lets the real actors live it on a
virtual clock, and each line comes to an ``Answered``: what the session then is, and what is
other than the line expects. ``gapless replay`` is the command for it.
"""

from __future__ import annotations

from gapless.recordings.answers import Answered, Difference, members
from gapless.recordings.lines import Header, Line, NotUnderstood, parse
from gapless.recordings.player import Player

__all__ = [
    "Answered",
    "Difference",
    "Header",
    "Line",
    "NotUnderstood",
    "Player",
    "members",
    "parse",
]
