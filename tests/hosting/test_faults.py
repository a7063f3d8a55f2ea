"""Faults of Gapless itself while shells start: nothing is half a shell, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from gapless import Runtime, Success
from gapless.actors.hosting.processes import Processes
from gapless.actors.outs import Release
from gapless.actors.runtime import Outgoing
from gapless.messages.effects import SpawnShell
from gapless.messages.inputs import EffectDone, SpawnAsked, Spawned, SpawnFailed
from gapless.messages.registry import RegistryPart
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.ids import SessionId
from gapless.typings.reading import read
from gapless.typings.settings import Settings
from tests.hosting.kit import ENDED, queued
from tests.runtime.kit import PATIENCE_S
from tests.support.processes import Around
from tests.support.words import HELD_BY_SHELLS


def failing(step: Callable[..., object], times: int) -> Callable[..., object]:
    """Let a registry fail so often on what it is told of a spawn."""
    left = [times]

    def fails(state: object, message: object, /) -> object:
        spawns = isinstance(message, RegistryPart) and isinstance(message.what, SpawnAsked)
        if spawns and left[0]:
            left[0] -= 1
            raise ZeroDivisionError
        return step(state, message)

    return fails


@pytest.mark.parametrize("times", [1, 2])
def test_a_fault_while_a_shell_is_asked_for_delays_it_alone(
    times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Runtime.start() as runtime:
        session, other = runtime.open("s"), runtime.open("other")
        session.call(ENDED).wait().unwrap()
        registry = session.heart.registry
        monkeypatch.setattr(registry, "step", failing(registry.step, times))
        shell = session.spawn_shell("sh", "-c", "exit 3").wait().unwrap()
        beside = other.spawn_shell("true").wait().unwrap()
        view = session.until(lambda view: bool(queued(view)), PATIENCE_S).wait().unwrap()
        assert queued(view) == (shell,)
        assert read(view).holds == HELD_BY_SHELLS
        other.until(lambda view: queued(view) == (beside,)).wait().unwrap()
        record = session.shell_record(shell)
        assert record is not None
        assert record.code == 3


class Slow(Around):
    """Processes that start when a test says so."""

    def __init__(self) -> None:
        super().__init__(SimulatedProcesses())
        self.gate = threading.Event()

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        assert self.gate.wait(PATIENCE_S)
        return self._spawn(effect, exited)


def test_what_comes_of_a_slow_start_is_not_told_for_each_time_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Slow()

    def processes(_: SessionId) -> Processes:
        return slow

    with Runtime.start(processes=processes) as runtime:
        session = runtime.open("s", settings=Settings(effect_retry_ms=1))
        told: list[object] = []
        retried = threading.Semaphore(0)
        run = session.release

        def release(what: Release, /) -> Outgoing:
            retried.release()
            return run(what)

        monkeypatch.setattr(session, "release", release)
        session.on_view(lambda row, _: told.append(row.what))
        spawning = session.spawn_shell("make")
        for _ in range(100):
            assert retried.acquire(timeout=PATIENCE_S)
        slow.gate.set()
        assert isinstance(spawning.wait(PATIENCE_S), Success)
        session.call(ENDED).wait().unwrap()
        # Until that is folded it may be asked for again, and then it is told again.
        assert len([it for it in told if isinstance(it, EffectDone)]) < 50
