"""What every kind of processes promises, real and simulated: the same stories on both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from gapless.messages.inputs import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.ids import ManagedId
from gapless.typings.spawning import NotRunnable, SpawnFault
from tests.shells.kit import FOR_EVER, Machine, Runner


class World(NamedTuple):
    runner: Runner
    exit: Callable[[ManagedId, int], object]


@pytest.fixture(params=["real", "simulated"])
def world(request: pytest.FixtureRequest, machine: Machine) -> Iterator[World]:
    """Processes that end when a test says so: the real ones read it from a pipe of their own."""
    if request.param == "simulated":
        simulated = SimulatedProcesses()
        yield World(Runner(simulated), simulated.exit)
        return
    folder = machine.table.logs.path

    def finish(shell: ManagedId, code: int) -> None:
        (folder / f"exit{shell.counter}").write_text(str(code))

    yield World(machine.runner, finish)


def wait_for_word(world: World, machine: Machine) -> tuple[ManagedId, Spawned | SpawnFailed]:
    shell = world.runner.name()
    word = machine.table.logs.path / f"exit{shell.counter}"
    script = f"while [ ! -s {word} ]; do sleep 0.01; done; exit $(cat {word})"
    return shell, world.runner.spawn_as(shell, "sh", "-c", script)


def test_a_process_runs_and_its_end_is_told_once(world: World, machine: Machine) -> None:
    shell, outcome = wait_for_word(world, machine)
    assert isinstance(outcome, Spawned)
    assert world.runner.no_end_is_waiting
    world.exit(shell, 3)
    assert world.runner.next_end() == (shell, 3)
    assert world.runner.no_end_is_waiting


def test_each_process_has_a_name_of_its_own(world: World, machine: Machine) -> None:
    (_, first), (_, second) = wait_for_word(world, machine), wait_for_word(world, machine)
    assert isinstance(first, Spawned)
    assert isinstance(second, Spawned)
    assert first.process != second.process


def test_to_run_nothing_is_refused(world: World) -> None:
    _, outcome = world.runner.spawn()
    assert outcome == SpawnFailed(cause=NotRunnable(reason="no command was given"))
    assert world.runner.no_end_is_waiting


def test_a_name_is_used_once(world: World) -> None:
    shell, outcome = world.runner.spawn(*FOR_EVER)
    assert isinstance(outcome, Spawned)
    again = world.runner.spawn_as(shell, *FOR_EVER)
    assert isinstance(again, SpawnFailed)
    assert isinstance(again.cause, SpawnFault)


def test_what_is_stopped_ends_by_the_signal(world: World) -> None:
    shell, _ = world.runner.spawn(*FOR_EVER)
    assert world.runner.stop(shell) == Signalled()
    assert world.runner.next_end() == (shell, -15)


def test_what_is_gone_or_was_never_there_cannot_be_stopped(world: World, machine: Machine) -> None:
    shell, _ = wait_for_word(world, machine)
    world.exit(shell, 0)
    world.runner.next_end()
    assert isinstance(world.runner.stop(shell), SignalFailed)
    assert isinstance(world.runner.stop(world.runner.name()), SignalFailed)
