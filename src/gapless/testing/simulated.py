"""Processes that are told when to end and what to write, for tests of what hosts managed shells."""

from __future__ import annotations

import threading
from collections.abc import Callable
from io import BytesIO
from itertools import count
from typing import BinaryIO, final

from gapless.actors.shells.output import read_output, read_tail
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs.shells import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.processes import ProcessIdentity
from gapless.typings.shells import Leaving, NoSuchShell, Output, ReadFailure, ShellRecord
from gapless.typings.spawning import NotRunnable, SpawnFault


class _Process:
    """One process without a machine."""

    def __init__(self, argv: tuple[str, ...], exited: Callable[[int | None], object]) -> None:
        self.argv = argv
        self.exited = exited
        self.written = b""
        self.gone: bool = False
        self.code: int | None = None


@final
class SimulatedProcesses:
    """Processes without a machine: each runs until ``exit``. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pids = count(1)
        self._all: dict[ManagedId, _Process] = {}
        self._running: dict[ManagedId, None] = {}
        self._left: bool = False

    @property
    def running(self) -> tuple[ManagedId, ...]:
        """The shells whose process runs, in start order."""
        with self._lock:
            return tuple(self._running)

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        """Start a process, unless it is asked to run nothing."""
        if not effect.argv or not effect.argv[0]:
            return SpawnFailed(cause=NotRunnable(reason="no command was given"))
        with self._lock:
            if self._left:
                return SpawnFailed(cause=SpawnFault(error="its session is over"))
            if effect.shell in self._all:
                error = "that shell was started before: each has its own name"
                return SpawnFailed(cause=SpawnFault(error=error))
            self._all[effect.shell] = _Process(effect.argv, exited)
            self._running[effect.shell] = None
            pid = next(self._pids)
        return Spawned(process=ProcessIdentity(boot="simulated", pid=pid, start_ticks=pid))

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        """End a process with SIGTERM."""
        if effect.shell not in self.running:
            return SignalFailed(error="no process of that shell runs")
        self.exit(effect.shell, -15)
        return Signalled()

    def exit(self, shell: ManagedId, code: int | None = 0) -> None:
        """Let a process be gone.

        Raises:
            KeyError: no process of that shell runs.

        """
        with self._lock:
            del self._running[shell]
            process = self._all[shell]
            process.gone, process.code = True, code
        process.exited(code)

    def write(self, shell: ManagedId, text: str) -> None:
        """Let a process write something.

        Raises:
            KeyError: there is none of that shell.

        """
        with self._lock:
            self._all[shell].written += text.encode()

    def leave(self, leaving: Leaving, /) -> None:  # noqa: ARG002 - nothing is left to go on
        """Forget what runs; nobody is told, and nothing starts."""
        with self._lock:
            self._left = True
            for shell in self._running:
                self._all[shell].gone = True
            self._running.clear()

    def trim(self, keep: Callable[[ManagedId], bool], /) -> None:
        """Forget nothing: what is simulated is small."""

    def record(self, shell: ManagedId, /) -> ShellRecord | None:
        """Return what is known of a shell, if it was started."""
        with self._lock:
            it = self._all.get(shell)
            if it is None:
                return None
            return ShellRecord(shell=shell, argv=it.argv, log="", gone=it.gone, code=it.code)

    def read(
        self, shell: ManagedId, /, *, offset: int, most_bytes: int
    ) -> Outcome[Output, ReadFailure]:
        """Read what was written, from ``offset`` on, at most so many bytes.

        Raises:
            ValueError: ``offset`` or ``most_bytes`` is out of bounds.

        """
        return self._read(shell, lambda log, gone: read_output(log, offset, most_bytes, gone=gone))

    def tail(self, shell: ManagedId, /, *, most_bytes: int) -> Outcome[Output, ReadFailure]:
        """Read the end of what was written.

        Raises:
            ValueError: ``most_bytes`` is out of bounds.

        """
        return self._read(shell, lambda log, gone: read_tail(log, most_bytes, gone=gone))

    def _read(
        self, shell: ManagedId, read: Callable[[BinaryIO, bool], Output]
    ) -> Outcome[Output, ReadFailure]:
        with self._lock:
            it = self._all.get(shell)
            if it is None:
                return Failure(NoSuchShell(shell=shell))
            written, gone = it.written, it.gone
        return Success(read(BytesIO(written), gone))
