"""G1a on real threads: no view is read without a hold while the host knows of something owed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest

from gapless.actors.hosting.doing import Effects
from gapless.actors.hosting.session import Session
from gapless.actors.runtime import ActorSystem, EffectRunner
from gapless.messages.inputs import ContinuationTaken, TurnEnded
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.holds import ShellHold
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Success
from gapless.typings.phases import Queued
from gapless.typings.states import Completed
from gapless.typings.view import SessionView
from tests.runtime.kit import PATIENCE_S, hosting, switching_every, together
from tests.support.hosting import open_session
from tests.support.processes import Owed


class Size(NamedTuple):
    """How many shells there are, lot by lot, and how many views are read at least."""

    lots: list[int]
    views: int


FEW = Size([1] * 30 + [2, 3, 5] * 5 + [100] * 7, 25_000)
"""780 shells: one by one, for the gaps between them, and many at once."""

MANY = Size([1] * 1_000 + [2, 3, 5] * 200 + [100] * 60 + [500] * 2, 100_000)
"""10,000 shells likewise."""

BURST = 100
"""So many views are read until the others are let go on: else they get half of a processor."""

SIZES = [pytest.param(FEW, id="780"), pytest.param(MANY, id="10000", marks=pytest.mark.explore)]


def holds(view: SessionView) -> bool:
    return any(isinstance(it, ShellHold) for it in view.holds)


def work(session: Session, owed: Owed, processes: SimulatedProcesses, lots: list[int]) -> None:
    """Start and end shells, some at a time, and let a continuation carry the ends of each lot."""
    for lot in lots:
        asked = [session.spawn_shell("make") for _ in range(lot)]
        for pending in asked:
            assert isinstance(pending.wait(PATIENCE_S), Success)
        shells = processes.running
        for shell in shells:
            processes.exit(shell)
        until(partial(queued, session, shells))
        taken = session.call(ContinuationTaken(keys=shells)).wait(PATIENCE_S)
        assert isinstance(taken, Success)
        owed.settled(lot)  # they may be, from here on
        ended = session.call(TurnEnded(outcome=Completed())).wait(PATIENCE_S)
        assert isinstance(ended, Success)


def until(true: Callable[[], bool]) -> None:
    gate = threading.Event()
    for _ in range(1_000_000):
        if true():
            return
        gate.wait(0.00001)
    raise AssertionError


def queued(session: Session, shells: tuple[ManagedId, ...]) -> bool:
    views = {it.key: it.notification for it in session.view.shells}
    return all(isinstance(views.get(shell), Queued) for shell in shells)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("switch_s", [0.005, 5e-6])
@pytest.mark.parametrize("kind", ["hybrid", "loop"])
def test_no_view_is_without_a_hold_that_is_owed(
    kind: str, switch_s: float, size: Size, figures: list[str]
) -> None:
    effects: Effects = EffectRunner(1)
    processes = SimulatedProcesses()
    owed, over = Owed(processes), threading.Event()
    views, gaps = [0], list[SessionView]()
    with hosting(kind) as host, switching_every(switch_s):
        system = ActorSystem(host.dispatcher)
        host.systems.append(system)
        session = open_session("s", system, effects, owed)

        def read() -> None:
            while not over.is_set() or views[0] < size.views:
                spell, before = owed.spell, owed.shells
                view = session.view
                views[0] += 1
                if views[0] % BURST == 0:
                    time.sleep(0)  # let those go on whose views are read
                if before and owed.shells and spell == owed.spell and not holds(view):
                    gaps.append(view)

        def write() -> None:
            try:
                work(session, owed, processes, size.lots)
            finally:
                over.set()

        together([write, read], patience_s=800)
    effects.close()
    figures.append(
        f"{sum(size.lots):,} shells on {kind}, switching every {switch_s * 1e6:g} us:"
        f" {views[0]:,} views read, {len(gaps)} of them with a gap"
    )
    assert gaps == []
