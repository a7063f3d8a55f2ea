"""The session's alarm: what it rings for may be lost, and it must not ring without end."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import TimerFired
from gapless.typings.settings import DEFAULTS
from tests.heart.lab import Broken, Lab
from tests.support.words import starts


def test_an_alarm_that_is_lost_for_good_rings_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = Lab()
    lab.tell(starts())
    lab.settle()

    def fails(*_: object) -> None:
        raise Broken

    monkeypatch.setattr(lab.heart.roster, "step", fails)
    lab.until(DEFAULTS.child_lease_ms + 10 * 60_000)
    rung = [row.at_ms for row in lab.rows if isinstance(row.what, TimerFired)]
    assert rung[0] == DEFAULTS.child_lease_ms
    assert 5 <= len(rung) <= 11
