"""Session time: awake milliseconds, in which a clock jump expires nothing.

A session asks its runtime for one alarm, at its earliest deadline. If an input
comes long after that alarm was due, nobody was awake to ring it: the process was
stopped, or the machine. Then the whole gap since the last input is left out of session
time, so every lease still has what it had before; once for each deadline, or a host whose alarms
are always late would never see one pass. A host's clock that goes back is a jump too: session
time stands still for it, and goes on from there.
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
    nobody asked; ``idle_base_ms`` is what that was at its last turn's end. ``quiet_ms`` counts
    turns that only the host vouches for as well. ``jumped_for_ms`` is the deadline before which
    a gap was left out.
    """

    at_ms: int | None = None
    skipped_ms: int = 0
    now_ms: int = 0
    jumped_for_ms: int | None = None
    idle_ms: int = 0
    quiet_ms: int = 0
    idle_base_ms: int = 0


def advance(  # noqa: PLR0913 - a clock's whole circumstances
    clock: Clock, at_ms: int, alarm_ms: int | None, settings: Settings, *, idle: bool, quiet: bool
) -> Clock:
    """Move the clock to an input at ``at_ms`` of the host's clock."""
    skipped, jumped_for = clock.skipped_ms, clock.jumped_for_ms
    if clock.at_ms is not None:
        late = alarm_ms is not None and at_ms - skipped > alarm_ms + settings.jump_tolerance_ms
        if at_ms < clock.at_ms:
            skipped += at_ms - clock.at_ms
        elif late and alarm_ms != jumped_for:
            skipped += at_ms - clock.at_ms
            jumped_for = alarm_ms
    now = max(clock.now_ms, at_ms - skipped)
    passed = now - clock.now_ms
    return Clock(
        at_ms=at_ms,
        skipped_ms=skipped,
        now_ms=now,
        jumped_for_ms=jumped_for,
        idle_ms=clock.idle_ms + (passed if idle else 0),
        quiet_ms=clock.quiet_ms + (passed if quiet else 0),
        idle_base_ms=clock.idle_base_ms,
    )
