"""The real processes of one host: started, watched, stopped, and their output read.

One ``ProcessTable`` a host; each session has a ``ShellProcesses`` of it, for shells are named
within their session. A session forgets its oldest ended shells beyond ``remembered``, once their
ends are settled, and then removes their logs if these are in a temporary folder.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO, Final, final

from gapless.actors.runtime.limits import shown
from gapless.actors.shells.launch import Launched, launch
from gapless.actors.shells.limits import Limit, no_descriptors, raise_descriptor_limit
from gapless.actors.shells.logs import LogFolder
from gapless.actors.shells.output import read_output, read_tail
from gapless.actors.shells.watch import Child, Exited, Watcher
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs.shells import SignalFailed, Signalled, Spawned, SpawnFailed
from gapless.typings.ids import ManagedId, SessionId, name_of
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.shells import (
    Leaving,
    NoSuchShell,
    Output,
    ReadFailure,
    ShellRecord,
    Unreadable,
)
from gapless.typings.spawning import NoResources, SpawnFault

_log: Final = logging.getLogger(__name__)

PATIENCE_S: Final = 5.0
"""How long beyond the grace leaving waits for what was killed."""


class _Shell:
    """One shell: what was started, where its output goes, and its end."""

    __slots__ = ("argv", "child", "code", "gone", "log")

    def __init__(self, argv: tuple[str, ...], log: Path) -> None:
        self.argv = argv
        self.log = log
        self.child: Child | None = None
        self.gone: bool = False
        self.code: int | None = None


@final
class ProcessTable:
    """Everything about processes that one host has once: the folder, the thread, the limits.

    ``folder`` is for the logs; without one they are in a temporary folder that goes when the
    table is left. ``grace_s`` is how long what is asked to end may take. The soft limit of
    descriptors is raised to the hard one; shells get what the host had.
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, *, grace_s: float = 5.0
    ) -> None:
        """Make the folder and raise the limit.

        Raises:
            LogFolderError: others may enter the folder.
            OSError: it cannot be made.

        """
        self.logs: Final = LogFolder(folder)
        self.limit: Final[Limit] = raise_descriptor_limit()
        self.watcher: Final = Watcher(grace_s)
        self._openings = count(1)

    def of(self, session: SessionId, *, remembered: int = 1_000) -> ShellProcesses:
        """Return the processes of one session."""
        return ShellProcesses(self, session, next(self._openings), remembered)

    def leave(self, leaving: Leaving) -> tuple[int, ...]:
        """End all processes, or let them be; return the pids of those that still run."""
        stayed = self.watcher.leave(stop=leaving == "stop", patience_s=PATIENCE_S)
        if not stayed:
            self.logs.remove()
        elif leaving == "stop":
            _log.error("These processes could not be ended: %s", stayed)
        return stayed

    def abandon(self, leaving: Leaving) -> None:
        """Kill all processes at once, or let them be, for a host that does not wait."""
        if leaving == "stop":
            self.watcher.kill()
            self.logs.remove()


@final
class ShellProcesses:
    """The processes of one session's shells. Safe to use from any thread."""

    def __init__(
        self, table: ProcessTable, session: SessionId, opening: int, remembered: int
    ) -> None:
        self._table = table
        self._session = session
        self._opening = opening
        self._remembered = remembered
        self._lock = threading.Lock()
        self._shells: dict[ManagedId, _Shell] = {}
        self._ended: dict[ManagedId, None] = {}
        self._left: Leaving | None = None

    def spawn(self, effect: SpawnShell, exited: Exited, /) -> Spawned | SpawnFailed:
        """Start a process; tell ``exited`` its exit status, a signal negative, once it is gone."""
        shell = effect.shell
        name = f"{name_of(shell)}.{shell.incarnation}"
        log = self._table.logs.file(self._session, self._opening, name)
        mine = _Shell(effect.argv, log)
        with self._lock:
            if self._left is not None:
                return _fault("its session is over")
            if self._shells.setdefault(shell, mine) is not mine:
                return _fault("that shell was started before: each has its own name")
        outcome = self._start(effect, mine, exited)
        if isinstance(outcome, SpawnFailed):
            with self._lock:
                del self._shells[shell]
        return outcome

    def _start(self, effect: SpawnShell, mine: _Shell, exited: Exited) -> Spawned | SpawnFailed:
        try:
            self._table.watcher.open()
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return SpawnFailed(cause=NoResources(reason=str(error.strerror)))
            return SpawnFailed(cause=no_descriptors())
        except RuntimeError as error:
            return _fault(str(error))
        launched = launch(effect, mine.log, self._table.limit)
        if not isinstance(launched, Launched):
            return SpawnFailed(cause=launched)

        def gone(code: int | None) -> None:
            self._gone(effect.shell, mine, code)
            exited(code)

        child = self._table.watcher.add(launched, gone)
        with self._lock:
            mine.child, left = None if mine.gone else child, self._left
        if left is not None:  # meanwhile
            self.leave(left)
        return Spawned(process=launched.identity)

    def _gone(self, shell: ManagedId, mine: _Shell, code: int | None) -> None:
        with self._lock:
            mine.gone, mine.code, mine.child = True, code, None
            self._ended[shell] = None

    def trim(self, keep: Callable[[ManagedId], bool], /) -> None:
        """Forget the oldest ended shells beyond those that are remembered, but none to keep."""
        with self._lock:
            excess = max(0, len(self._ended) - self._remembered)
            doomed = list(islice((it for it in self._ended if not keep(it)), excess))
            forgotten = [self._shells.pop(it) for it in doomed]
            for it in doomed:
                del self._ended[it]
        for each in forgotten if self._table.logs.temporary else ():
            with suppress(OSError):
                each.log.unlink()

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        """Ask the process group of a shell to end; that it is gone is told by ``exited``."""
        with self._lock:
            mine = self._shells.get(effect.shell)
            child = mine.child if mine is not None else None
        if child is None:
            return SignalFailed(error="no process of that shell runs")
        error = self._table.watcher.stop(child)
        return Signalled() if error is None else SignalFailed(error=error)

    def leave(self, leaving: Leaving, /) -> None:
        """End what still runs, or let it be; nobody is told of its end, and nothing starts."""
        with self._lock:
            self._left = leaving
            children = [it.child for it in self._shells.values() if it.child is not None]
        for child in children:
            self._table.watcher.forget(child)
            if leaving == "stop":
                self._table.watcher.stop(child)

    def record(self, shell: ManagedId, /) -> ShellRecord | None:
        """Return what is known of a shell, if it was started and is remembered."""
        with self._lock:
            mine = self._shells.get(shell)
            if mine is None:
                return None
            return ShellRecord(
                shell=shell, argv=mine.argv, log=str(mine.log), gone=mine.gone, code=mine.code
            )

    def read(
        self, shell: ManagedId, /, *, offset: int, most_bytes: int
    ) -> Outcome[Output, ReadFailure]:
        """Read a shell's output from ``offset`` on.

        Raises:
            ValueError: ``offset`` or ``most_bytes`` is out of bounds.

        """
        return self._read(shell, lambda log, gone: read_output(log, offset, most_bytes, gone=gone))

    def tail(self, shell: ManagedId, /, *, most_bytes: int) -> Outcome[Output, ReadFailure]:
        """Read the end of a shell's output.

        Raises:
            ValueError: ``most_bytes`` is out of bounds.

        """
        return self._read(shell, lambda log, gone: read_tail(log, most_bytes, gone=gone))

    def _read(
        self, shell: ManagedId, read: Callable[[BinaryIO, bool], Output]
    ) -> Outcome[Output, ReadFailure]:
        record = self.record(shell)
        if record is None:
            return Failure(NoSuchShell(shell=shell))
        try:
            with Path(record.log).open("rb") as log:
                return Success(read(log, record.gone))
        except OSError as error:
            return Failure(Unreadable(error=shown(error)))


def _fault(error: str) -> SpawnFailed:
    return SpawnFailed(cause=SpawnFault(error=error))
