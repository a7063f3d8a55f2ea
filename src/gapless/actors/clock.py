"""Session time: awake milliseconds, in which a clock jump expires nothing.

A session asks its runtime for one alarm, at its earliest deadline. If an input
comes long after that alarm was due, nobody was awake to ring it: the process was
stopped, or the machine. Then the whole gap since the last input is left out of session
time, so every lease still has what it had before. The clock never goes back.
"""

from __future__ import annotations

from typing import final

from msgspec import Struct

from gapless.typings.settings import Settings


@final
class Clock(Struct, frozen=True, kw_only=True, gc=False):
    """The time of one session.

    ``at_ms`` is the host's clock at the last input, ``skipped_ms`` what was left out of
    it, ``now_ms`` session time. ``idle_ms`` is for how long in all the lead has been idle with
    nobody asked; ``idle_base_ms`` is what that was at its last turn's end.
    """

    at_ms: int | None = None
    skipped_ms: int = 0
    now_ms: int = 0
    idle_ms: int = 0
    idle_base_ms: int = 0


def advance(
    clock: Clock, at_ms: int, alarm_ms: int | None, settings: Settings, *, idle: bool
) -> Clock:
    """Move the clock to an input at ``at_ms`` of the host's clock."""
    skipped = clock.skipped_ms
    jumped = alarm_ms is not None and at_ms - skipped > alarm_ms + settings.jump_tolerance_ms
    if jumped and clock.at_ms is not None:
        skipped += at_ms - clock.at_ms
    now = max(clock.now_ms, at_ms - skipped)
    passed = now - clock.now_ms if idle else 0
    return Clock(
        at_ms=at_ms,
        skipped_ms=skipped,
        now_ms=now,
        idle_ms=clock.idle_ms + passed,
        idle_base_ms=clock.idle_base_ms,
    )
