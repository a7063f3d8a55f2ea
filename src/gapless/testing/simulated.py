"""Processes that are told when to end, for tests of what hosts managed shells."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import final

from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs.shells import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.typings.ids import ManagedId
from gapless.typings.processes import ProcessIdentity
from gapless.typings.spawning import NotRunnable, SpawnFault


@final
class SimulatedProcesses:
    """Processes without a machine: each runs until ``exit``. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pids = count(1)
        self._running: dict[ManagedId, Callable[[int | None], object]] = {}

    @property
    def running(self) -> tuple[ManagedId, ...]:
        """The shells whose process runs, in start order."""
        with self._lock:
            return tuple(self._running)

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        """Start a process, unless it is asked to run nothing."""
        if not effect.argv:
            return SpawnFailed(cause=NotRunnable(reason="no command was given"))
        with self._lock:
            if effect.shell in self._running:
                error = "that shell was started before: each has its own name"
                return SpawnFailed(cause=SpawnFault(error=error))
            self._running[effect.shell] = exited
            pid = next(self._pids)
        return Spawned(process=ProcessIdentity(boot="simulated", pid=pid, start_ticks=pid))

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        """End a process with SIGTERM."""
        if effect.shell not in self.running:
            return SignalFailed(error="no such process")
        self.exit(effect.shell, -15)
        return Signalled()

    def exit(self, shell: ManagedId, code: int | None = 0) -> None:
        """Let a process be gone.

        Raises:
            KeyError: no process of that shell runs.

        """
        with self._lock:
            exited = self._running.pop(shell)
        exited(code)
