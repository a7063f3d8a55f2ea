"""The one seam to the world: processes, real or simulated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs.shells import SignalFailed, Signalled, Spawned, SpawnFailed


class Processes(Protocol):
    """Starts and stops the processes of one session's shells. Called from any thread; may block.

    Shells are named within their session only: two sessions need two of these.
    """

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        """Start a process; tell ``exited`` its exit status, a signal negative, once it is gone."""
        ...

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        """Ask the process group of a shell to end; that it is gone is told by ``exited``."""
        ...
