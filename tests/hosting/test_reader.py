"""G1a with real processes: no view is read without a hold while the host knows of one owed."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from gapless import Runtime, Session, SessionView, Success
from gapless.actors.shells import ProcessTable
from gapless.messages.inputs import ContinuationTaken
from gapless.typings.holds import ShellHold
from gapless.typings.ids import ManagedId, SessionId
from tests.hosting.kit import ENDED, queued
from tests.runtime.kit import PATIENCE_S, switching_every, together
from tests.shells.kit import there
from tests.support.processes import Owed

FEW = [1] * 20 + [2, 3, 5] * 4 + [40] * 2
MANY = [1] * 300 + [2, 3, 5] * 40 + [100] * 13
COMMANDS = [("true",), ("sh", "-c", "exit 3"), ("sh", "-c", "echo out; kill -9 $$")]


def all_queued(shells: set[ManagedId], view: SessionView) -> bool:
    return shells <= set(queued(view))


def work(session: Session, owed: Owed, lots: list[int]) -> None:
    """Start shells, some at a time, and let a continuation carry the ends of each lot."""
    for lot in lots:
        spawning = [session.spawn_shell(*COMMANDS[it % len(COMMANDS)]) for it in range(lot)]
        shells = {it.wait(PATIENCE_S).unwrap() for it in spawning}
        session.until(partial(all_queued, shells)).wait().unwrap()
        taken = session.call(ContinuationTaken(keys=tuple(shells))).wait(PATIENCE_S)
        assert isinstance(taken, Success)
        owed.settled(lot)  # they may be settled from here on
        assert isinstance(session.call(ENDED).wait(PATIENCE_S), Success)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("switch_s", [0.005, 5e-6])
@pytest.mark.parametrize(
    "lots", [pytest.param(FEW, id="140"), pytest.param(MANY, id="2000", marks=pytest.mark.explore)]
)
def test_no_view_is_without_a_hold_that_is_owed(
    lots: list[int], switch_s: float, figures: list[str]
) -> None:
    before = there()
    table = ProcessTable()
    owed, over = Owed(table.of(SessionId("s"))), threading.Event()
    views, gaps = [0], list[SessionView]()
    with switching_every(switch_s), Runtime.start(processes=lambda _: owed) as runtime:
        session = runtime.open("s")

        def read() -> None:
            while not over.is_set():
                spell, expected = owed.spell, owed.shells
                view = session.view
                views[0] += 1
                if views[0] % 100 == 0:
                    time.sleep(0)  # let those go on whose views are read
                held = any(isinstance(it, ShellHold) for it in view.holds)
                if expected and owed.shells and spell == owed.spell and not held:
                    gaps.append(view)

        def write() -> None:
            try:
                work(session, owed, lots)
            finally:
                over.set()

        together([write, read], patience_s=500)
    assert table.leave("stop") == ()
    figures.append(
        f"{sum(lots):,} real shells, switching every {switch_s * 1e6:g} us:"
        f" {views[0]:,} views read, {len(gaps)} of them with a gap"
    )
    assert gaps == []
    assert before.nothing_was_added()
