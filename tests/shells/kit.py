"""Real processes for tests: what was started, what has ended, and what that left behind."""

from __future__ import annotations

import os
import queue
import threading
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple, final

from gapless.actors.hosting.processes import Processes
from gapless.actors.shells import ProcessTable, ShellProcesses
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.typings.ids import InputNumber, ManagedId, SessionId
from tests.runtime.kit import PATIENCE_S

FOR_EVER = ("sleep", "600")


@final
class Runner:
    """Starts shells of one session, and hears of their ends."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._numbers = count(1)
        self._ends: queue.SimpleQueue[tuple[ManagedId, int | None]] = queue.SimpleQueue()

    def name(self) -> ManagedId:
        return ManagedId(incarnation=1, counter=next(self._numbers))

    def spawn(
        self, *argv: str, cwd: str | None = None, env: tuple[tuple[str, str], ...] = ()
    ) -> tuple[ManagedId, Spawned | SpawnFailed]:
        shell = self.name()
        return shell, self.spawn_as(shell, *argv, cwd=cwd, env=env)

    def spawn_as(
        self,
        shell: ManagedId,
        *argv: str,
        cwd: str | None = None,
        env: tuple[tuple[str, str], ...] = (),
    ) -> Spawned | SpawnFailed:
        number = InputNumber(shell.counter)
        effect = SpawnShell(number=number, shell=shell, argv=argv, cwd=cwd, env=env)
        return self._processes.spawn(effect, lambda code: self._ends.put((shell, code)))

    def start(self, *argv: str) -> tuple[ManagedId, int]:
        """Start what must run; return its pid too."""
        shell, outcome = self.spawn(*argv)
        assert isinstance(outcome, Spawned), outcome
        return shell, outcome.process.pid

    def stop(self, shell: ManagedId) -> Signalled | SignalFailed:
        return self._processes.stop(StopShell(number=InputNumber(1), shell=shell))

    def next_end(self) -> tuple[ManagedId, int | None]:
        return self._ends.get(timeout=PATIENCE_S)

    def run(self, *argv: str) -> tuple[ManagedId, int | None]:
        """Run it to its end; return how that was."""
        shell, _ = self.start(*argv)
        ended, code = self.next_end()
        assert ended == shell
        return shell, code

    @property
    def no_end_is_waiting(self) -> bool:
        return self._ends.empty()


@final
class Machine:
    """A table of real processes, and one session of it."""

    def __init__(self, folder: Path | None = None, grace_s: float = 5.0) -> None:
        self.table = ProcessTable(folder, grace_s=grace_s)
        self.processes: ShellProcesses = self.table.of(SessionId("s"))
        self.runner = Runner(self.processes)

    def log(self, shell: ManagedId) -> Path:
        record = self.processes.record(shell)
        assert record is not None
        return Path(record.log)

    def text(self, shell: ManagedId) -> str:
        return self.processes.read(shell, offset=0, most_bytes=1 << 20).unwrap().text


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only how many


def children() -> set[int]:
    """Return the pids of this process's children, zombies too."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that ended meanwhile
            found |= {int(it) for it in (task / "children").read_text().split()}
    return found


class There(NamedTuple):
    """What a test must not leave behind: descriptors, threads, and processes, zombies too."""

    descriptors: int
    threads: frozenset[threading.Thread]
    children: frozenset[int]

    def nothing_was_added(self) -> bool:
        """Whether there is nothing now that was not there; what ended meanwhile may have."""
        now = there()
        more = now.threads - self.threads, now.children - self.children
        assert not any(more), more
        assert now.descriptors <= self.descriptors
        return True


def there() -> There:
    return There(descriptors(), frozenset(threading.enumerate()), frozenset(children()))


def until_written(path: Path, text: str) -> None:
    """Wait until a process has written this."""
    gate = threading.Event()
    for _ in range(10_000):
        if path.exists() and text in path.read_text():
            return
        gate.wait(0.002)
    raise AssertionError(path)


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat[stat.rindex(")") + 2] not in "ZX"


def until_over(pid: int) -> None:
    gate = threading.Event()
    for _ in range(10_000):
        if not is_running(pid):
            return
        gate.wait(0.002)
    raise AssertionError(pid)
