"""The end of a process, however it comes: told once, reaped, and its group with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gapless.messages.effects import SpawnShell
from gapless.messages.inputs import SignalFailed, Signalled, Spawned
from gapless.typings.ids import InputNumber
from tests.runtime.kit import PATIENCE_S
from tests.shells.kit import (
    FOR_EVER,
    Machine,
    children,
    is_running,
    there,
    until_over,
    until_written,
)


@pytest.fixture
def brief(nothing_left: None) -> Iterator[Machine]:  # noqa: ARG001 - it looks afterwards
    """A machine on which what ignores TERM is killed at once."""
    made = Machine(grace_s=0.05)
    yield made
    made.table.leave("stop")


@pytest.fixture
def without_pidfds(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: int) -> int:
        raise OSError(38, os.strerror(38))

    monkeypatch.setattr(os, "pidfd_open", none)


def test_what_is_killed_from_outside_has_ended(machine: Machine) -> None:
    shell, pid = machine.runner.start(*FOR_EVER)
    os.kill(pid, signal.SIGKILL)
    assert machine.runner.next_end() == (shell, -9)


def test_half_of_500_killed_at_once_are_told_once_each(machine: Machine) -> None:
    pids = dict(machine.runner.start(*FOR_EVER) for _ in range(500))
    killed = list(pids)[::2]
    for shell in killed:
        os.kill(pids[shell], signal.SIGKILL)
    ends = [machine.runner.next_end() for _ in killed]
    assert sorted(ends, key=str) == sorted([(it, -9) for it in killed], key=str)
    assert machine.runner.no_end_is_waiting
    assert all(is_running(pids[it]) for it in list(pids)[1::2])
    assert children() >= {pids[it] for it in list(pids)[1::2]}
    assert not children() & {pids[it] for it in killed}


@pytest.mark.usefixtures("without_pidfds")
def test_without_pidfds_it_is_the_same(brief: Machine) -> None:
    assert brief.runner.run("sh", "-c", "exit 4")[1] == 4
    shell, pid = brief.runner.start(*FOR_EVER)
    os.kill(pid, signal.SIGKILL)
    assert brief.runner.next_end() == (shell, -9)
    shell, _ = brief.runner.start(*FOR_EVER)
    assert brief.runner.stop(shell) == Signalled()
    assert brief.runner.next_end() == (shell, -15)


def ignores_term(machine: Machine) -> tuple[str, str]:
    """Return how to run what does not end when it is asked to, and says so to a file."""
    word = machine.table.logs.path / "ready"
    program = (
        "import signal, pathlib, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"pathlib.Path({str(word)!r}).write_text('ready'); time.sleep(600)"
    )
    return program, str(word)


def test_what_ignores_term_is_killed_after_its_grace(brief: Machine) -> None:
    program, word = ignores_term(brief)
    shell, pid = brief.runner.start(sys.executable, "-c", program)
    until_written(Path(word), "ready")
    assert brief.runner.stop(shell) == Signalled()
    assert brief.runner.stop(shell) == Signalled()  # to insist changes nothing
    assert is_running(pid)
    assert brief.runner.next_end() == (shell, -9)
    assert brief.runner.no_end_is_waiting


def test_what_stands_still_is_ended_too(machine: Machine) -> None:
    shell, pid = machine.runner.start(*FOR_EVER)
    os.kill(pid, signal.SIGSTOP)
    machine.runner.stop(shell)
    assert machine.runner.next_end() == (shell, -15)


def test_a_stop_reaches_the_rest_of_the_group_after_its_leader(brief: Machine) -> None:
    program, word = ignores_term(brief)
    script = f'{sys.executable} -c "$1" & echo $!; wait'
    shell, _ = brief.runner.start("sh", "-c", script, "sh", program)
    until_written(Path(word), "ready")
    rest = int(brief.text(shell))
    brief.runner.stop(shell)
    assert brief.runner.next_end() == (shell, -15)
    until_over(rest)


def test_what_a_shell_leaves_behind_goes_on(machine: Machine) -> None:
    shell, code = machine.runner.run("sh", "-c", "sleep 600 & echo $!")
    assert code == 0
    left = int(machine.text(shell))
    assert is_running(left)
    assert isinstance(machine.runner.stop(shell), SignalFailed)
    os.kill(left, signal.SIGKILL)


def test_a_host_that_reaps_by_itself_costs_only_the_status() -> None:
    """SIGCHLD is process-wide, so this happens in a process of its own."""
    program = """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from tests.shells.kit import Machine, FOR_EVER
machine = Machine()
assert machine.runner.run("sh", "-c", "exit 3")[1] is None
shell, _ = machine.runner.start(*FOR_EVER)
machine.runner.stop(shell)
assert machine.runner.next_end() == (shell, None)
assert machine.table.leave("stop") == ()
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, cwd=Path.cwd())


@pytest.mark.usefixtures("nothing_left")
def test_leaving_ends_what_runs() -> None:
    machine = Machine()
    pids = [machine.runner.start(*FOR_EVER)[1] for _ in range(20)]
    assert machine.table.leave("stop") == ()
    assert not any(is_running(pid) for pid in pids)


def test_leaving_a_host_that_never_started_anything_is_nothing(machine: Machine) -> None:
    assert machine.table.leave("detach") == ()
    assert machine.table.leave("stop") == ()


def test_after_leaving_nothing_starts(machine: Machine) -> None:
    machine.table.leave("stop")
    _, outcome = machine.runner.spawn("true")
    assert "has left" in str(outcome)


def test_what_is_let_be_goes_on_with_its_log_and_is_reaped_when_it_ends() -> None:
    before = there()
    machine = Machine()
    shell, pid = machine.runner.start("sh", "-c", "echo begun; exec sleep 600")
    until_written(machine.log(shell), "begun")
    assert machine.table.leave("detach") == (pid,)
    assert is_running(pid)
    assert machine.table.logs.path.exists()
    watching = [it for it in threading.enumerate() if it.name == "gapless-watch"]
    os.kill(pid, signal.SIGKILL)
    for thread in watching:
        thread.join(PATIENCE_S)
    assert before.nothing_was_added()
    assert machine.runner.no_end_is_waiting
    for log in machine.table.logs.path.iterdir():
        log.unlink()
    machine.table.logs.path.rmdir()


def test_a_session_ends_its_own_and_nobody_elses(machine: Machine) -> None:
    _, mine = machine.runner.start(*FOR_EVER)
    other = Machine()
    _, others = other.runner.start(*FOR_EVER)
    machine.processes.leave("stop")
    until_over(mine)
    assert is_running(others)
    assert machine.runner.no_end_is_waiting
    other.table.leave("stop")


def test_a_listener_that_raises_costs_nobody_else_their_news(machine: Machine) -> None:
    def raising(_: int | None) -> None:
        raise ZeroDivisionError

    shell = machine.runner.name()
    effect = SpawnShell(number=InputNumber(1), shell=shell, argv=("true",))
    assert isinstance(machine.processes.spawn(effect, raising), Spawned)
    assert machine.runner.run("sh", "-c", "exit 2")[1] == 2
