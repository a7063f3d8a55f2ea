"""The one seam to the world: processes, real or simulated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs.shells import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Outcome
from gapless.typings.shells import Leaving, Output, ReadFailure, ShellRecord


class Processes(Protocol):
    """The processes of one session's shells. Called from any thread; may block.

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

    def leave(self, leaving: Leaving, /) -> None:
        """End what still runs, or let it be; nobody is told of its end, and nothing starts."""
        ...

    def trim(self, keep: Callable[[ManagedId], bool], /) -> None:
        """Forget ended shells, if there are too many, but never those to keep."""
        ...

    def record(self, shell: ManagedId, /) -> ShellRecord | None:
        """Return what is known of a shell, if it was started and is remembered."""
        ...

    def read(
        self, shell: ManagedId, /, *, offset: int, most_bytes: int
    ) -> Outcome[Output, ReadFailure]:
        """Read a shell's output from ``offset`` on, at most so many bytes.

        Raises:
            ValueError: ``offset`` or ``most_bytes`` is out of bounds.

        """
        ...

    def tail(self, shell: ManagedId, /, *, most_bytes: int) -> Outcome[Output, ReadFailure]:
        """Read the end of a shell's output.

        Raises:
            ValueError: ``most_bytes`` is out of bounds.

        """
        ...
