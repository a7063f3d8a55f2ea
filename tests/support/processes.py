"""Processes around others, for tests that look at each start or hold it up."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from gapless.actors.hosting.processes import Processes
from gapless.messages.effects import SpawnShell
from gapless.messages.inputs import Spawned, SpawnFailed


class Around:
    """All that others do, until a test says otherwise of one thing."""

    def __init__(self, inner: Processes) -> None:
        self._spawn = inner.spawn
        self.stop = inner.stop
        self.leave = inner.leave
        self.trim = inner.trim
        self.record = inner.record
        self.read = inner.read
        self.tail = inner.tail


@final
class Owed(Around):
    """The host's own record: how many shells are owed, and how often that began anew.

    It owes a shell from before its process exists until it settled it: it is who starts them.
    """

    def __init__(self, inner: Processes) -> None:
        super().__init__(inner)
        self.shells = 0
        self.spell = 0

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        self.spell += 1
        self.shells += 1
        return self._spawn(effect, exited)

    def settled(self, shells: int) -> None:
        self.shells -= shells
