"""What is started, with what, and what is said of each way in which nothing starts."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from gapless.actors.shells import LogFolderError, ProcessTable
from gapless.messages.inputs import SpawnFailed
from gapless.typings.ids import SessionId
from gapless.typings.spawning import (
    ArgumentsTooLong,
    CommandNotFound,
    FolderNotFound,
    NotPermitted,
    NotRunnable,
    SpawnError,
    explain,
)
from tests.shells.kit import FOR_EVER, Machine, Runner


def test_its_output_is_one_file_with_both_streams(machine: Machine) -> None:
    shell, code = machine.runner.run("sh", "-c", "echo out; echo err >&2; exit 7")
    assert (machine.text(shell), code) == ("out\nerr\n", 7)


def test_a_signal_is_a_negative_status(machine: Machine) -> None:
    assert machine.runner.run("sh", "-c", "kill -SEGV $$")[1] == -11


def test_it_has_nothing_to_read_and_a_session_of_its_own(machine: Machine) -> None:
    program = "import os, sys; print(repr(sys.stdin.read()), os.getsid(0) == os.getpid())"
    shell, _ = machine.runner.run(sys.executable, "-c", program)
    assert machine.text(shell) == "'' True\n"


def test_it_runs_where_and_with_what_it_is_told(machine: Machine, tmp_path: Path) -> None:
    command = ("sh", "-c", 'pwd -P; echo $GREETING; test -n "$PATH"')
    shell, _ = machine.runner.spawn(*command, cwd=str(tmp_path), env=(("GREETING", "hello"),))
    assert machine.runner.next_end() == (shell, 0)
    assert machine.text(shell) == f"{tmp_path.resolve()}\nhello\n"


def test_it_inherits_no_descriptor_but_its_three(machine: Machine, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)  # noqa: FBT003 - no keywords here
        shell, _ = machine.runner.run("ls", "/proc/self/fd")
    assert machine.text(shell).split() == ["0", "1", "2", "3"]  # the last is ls reading the folder


def test_nobody_else_can_read_its_output(machine: Machine) -> None:
    machine.runner.run("true")
    folder = machine.table.logs.path
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(it.stat().st_mode) for it in folder.iterdir()} == {0o600}


def test_a_sessions_name_may_be_anything(machine: Machine) -> None:
    processes = machine.table.of(SessionId("../../etc/\n" + "x" * 300))
    path = machine.table.logs.file(SessionId("../../etc/\n" + "x" * 300), 1, "s1")
    assert path.parent == machine.table.logs.path
    assert processes.record(machine.runner.name()) is None


@pytest.mark.parametrize(
    ("argv", "cwd", "error"),
    [
        (["no-such-command"], None, CommandNotFound(command="no-such-command")),
        (["./true/true"], None, CommandNotFound(command="./true/true")),
        (["true"], "/no/such/folder", FolderNotFound(folder="/no/such/folder")),
        (["true"], "/dev/null", FolderNotFound(folder="/dev/null")),
        (["/dev/null"], None, NotPermitted(path="/dev/null")),
        ([], None, NotRunnable(reason="no command was given")),
        (["a\0b"], None, NotRunnable(reason="embedded null byte")),
        ([""], None, NotRunnable(reason="no command was given")),
        (["true"], "x" * 300, NotRunnable(reason=f"{'x' * 300!r}: File name too long")),
    ],
)
def test_what_cannot_start_says_why_and_leaves_nothing(
    machine: Machine, argv: list[str], cwd: str | None, error: SpawnError
) -> None:
    _, outcome = machine.runner.spawn(*argv, cwd=cwd)
    assert outcome == SpawnFailed(cause=error)
    assert list(machine.table.logs.path.iterdir()) == []
    assert "\n" not in explain(error)


def test_what_is_too_much_to_pass_on_says_how_much_it_is(machine: Machine) -> None:
    much = "x" * 3_000_000
    for _, outcome in (
        machine.runner.spawn("true", much),
        machine.runner.spawn("true", env=(("A", much),)),
    ):
        assert isinstance(outcome, SpawnFailed)
        assert isinstance(outcome.cause, ArgumentsTooLong)
        assert outcome.cause.size_bytes > 3_000_000


def test_a_script_without_its_interpreter_is_not_runnable(machine: Machine, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o700)
    _, outcome = machine.runner.spawn(str(script))
    reason = f"{str(script)!r} names an interpreter that is not there"
    assert outcome == SpawnFailed(cause=NotRunnable(reason=reason))


def test_a_file_that_is_no_program_is_not_runnable(machine: Machine, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("neither a script nor a program")
    text.chmod(0o700)
    _, outcome = machine.runner.spawn(str(text))
    assert isinstance(outcome, SpawnFailed)
    assert isinstance(outcome.cause, NotRunnable)


def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    with pytest.raises(LogFolderError, match="chmod 700"):
        ProcessTable(tmp_path)


def test_a_folder_of_the_host_is_made_and_kept(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "deep" / "logs")
    machine.runner.run("echo", "kept")
    machine.table.leave("stop")
    assert [it.read_text() for it in (tmp_path / "deep" / "logs").iterdir()] == ["kept\n"]


def test_a_folder_that_stays_holds_the_logs_of_many_hosts(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    for _ in range(2):
        machine = Machine(folder)
        machine.runner.run("echo", "mine")
        machine.table.leave("stop")
    assert len(list(folder.iterdir())) == 2


def test_a_folder_that_was_tidied_away_is_made_anew(machine: Machine) -> None:
    machine.table.logs.path.rmdir()
    shell, code = machine.runner.run("echo", "again")
    assert (machine.text(shell), code) == ("again\n", 0)


def test_a_temporary_folder_goes_with_the_host(machine: Machine) -> None:
    machine.runner.start(*FOR_EVER)
    folder = machine.table.logs.path
    assert folder.exists()
    machine.table.leave("stop")
    assert not folder.exists()


def test_old_shells_are_forgotten_and_their_logs_removed(machine: Machine) -> None:
    processes = machine.table.of(SessionId("other"), remembered=2)
    runner = Runner(processes)
    shells = [runner.run("echo", text)[0] for text in "abc"]
    processes.trim(lambda it: it == shells[0])
    assert processes.record(shells[0]) is not None
    assert processes.record(shells[1]) is None
    assert processes.tail(shells[2], most_bytes=100).unwrap().text == "c\n"
    assert len(list(machine.table.logs.path.iterdir())) == 2
