"""When the machine has no more to give: a typed answer, and everything else goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gapless.messages.inputs import SpawnFailed
from gapless.typings.spawning import NoSpace
from tests.shells.kit import Machine


def alone(program: str) -> None:
    """Run it in a process of its own: limits are of a whole process."""
    head = """
import os, resource
from gapless.messages.inputs import Spawned, SpawnFailed
from gapless.typings.spawning import *
from tests.shells.kit import *
"""
    command = [sys.executable, "-W", "error", "-c", head + program]
    subprocess.run(command, check=True, cwd=Path.cwd())


def test_the_soft_limit_of_descriptors_is_raised_and_shells_get_what_the_host_had() -> None:
    alone("""
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 1000))
machine = Machine()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (1000, 1000)
shell, _ = machine.runner.start("sh", "-c", "sleep 0.2; ulimit -n")
machine.runner.next_end()
assert machine.text(shell) == "300\\n", machine.text(shell)
assert machine.table.leave("stop") == ()
""")


def test_without_descriptors_shells_are_refused_and_none_is_half_started() -> None:
    alone("""
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
before = descriptors()
machine = Machine()
pids = {}
while True:
    shell, outcome = machine.runner.spawn(*FOR_EVER)
    if isinstance(outcome, SpawnFailed):
        break
    pids[shell] = outcome.process.pid
assert outcome.cause == NoDescriptors(limit=60), outcome
assert len(pids) > 40, pids
os.kill(next(iter(pids.values())), 9)
assert machine.runner.next_end() == (next(iter(pids)), -9)
assert machine.runner.no_end_is_waiting
assert children() == set(pids.values()) - {next(iter(pids.values()))}
logs = list(machine.table.logs.path.iterdir())
assert len(logs) == len(pids), logs
assert machine.table.leave("stop") == ()
assert descriptors() == before, os.listdir("/proc/self/fd")
""")


def test_what_is_started_with_the_last_descriptor_is_watched_all_the_same() -> None:
    alone("""
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
machine = Machine()
machine.runner.run("true")
# To start one takes four descriptors for a moment (its log, its stdin, a pipe): two are left then.
for left in range(7):
    taken = [os.open("/dev/null", os.O_RDONLY) for _ in range(60 - descriptors() + 1 - left)]
    shell, outcome = machine.runner.spawn("sh", "-c", "exit 5")
    for each in taken:
        os.close(each)
    match outcome:
        case Spawned():
            assert machine.runner.next_end() == (shell, 5)
        case SpawnFailed(cause=cause):
            assert cause == NoDescriptors(limit=60), cause
assert isinstance(outcome, Spawned)
assert machine.table.leave("stop") == ()
""")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB with room for three files, where this user may mount one."""
    options = "size=64k,nr_inodes=4,mode=0700"
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(tmp_path)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this user may not mount a disk")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.usefixtures("nothing_left")
def test_a_full_disk_is_the_shells_own_error_and_then_no_more_are_started(
    small_disk: Path,
) -> None:
    machine = Machine(small_disk)
    first, code = machine.runner.run("sh", "-c", "yes; echo too late; exit 9")
    assert code == 9
    assert machine.processes.tail(first, most_bytes=100).unwrap().size_bytes == 64 << 10
    outcomes = [machine.runner.spawn("true")[1] for _ in range(4)]
    assert outcomes[-1] == SpawnFailed(cause=NoSpace(folder=str(small_disk)))
    machine.table.leave("stop")


def test_a_log_that_may_not_grow_is_the_shells_own_error() -> None:
    alone("""
machine = Machine()
machine.runner.run("true")
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
shell, code = machine.runner.run("yes")
assert code == -25, code  # SIGXFSZ
assert machine.processes.tail(shell, most_bytes=100).unwrap().size_bytes == 1 << 16
assert machine.table.leave("stop") == ()
""")
