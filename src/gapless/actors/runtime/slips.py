"""Slips: places in a queue for messages that are decided only when their turn comes.

A sample may be replaced while it waits, a timer cancelled. Neither is looked for in the queue:
what stands there is a slip, and its holder says what it is worth once it is reached.
"""

from __future__ import annotations

from typing import Final, Protocol, final

from gapless.actors.runtime.locks import shared_lock
from gapless.actors.runtime.logs import logged

NOTHING: Final = object()
"""What a slip is worth whose message is not wanted any more."""


class Holder(Protocol):
    """Keeps the messages that slips stand for."""

    def peek(self, key: object, /) -> object:
        """Return what the slip with that key is worth now."""
        ...

    def take(self, key: object, /) -> object:
        """Return it, and keep it no longer."""
        ...


@final
class Slip:
    """Stands in a queue for the message that ``holder`` keeps under ``key``."""

    __slots__ = ("holder", "key")

    def __init__(self, holder: Holder, key: object) -> None:
        self.holder: Holder = holder
        self.key: object = key

    def take(self) -> object:
        """Redeem it."""
        return self.holder.take(self.key)

    def peek(self) -> object:
        """Return what it is worth now."""
        return self.holder.peek(self.key)

    def last(self) -> object:
        """Redeem it where its actor has ended: what raises is worth nothing, and harms no other."""
        try:
            return self.take()
        except BaseException:  # noqa: BLE001 - logged
            logged("A message that had waited was lost:")
            return NOTHING


_LOCK: Final = shared_lock()


@final
class Samples:
    """The latest sample of each kind that waits."""

    __slots__ = ("_latest",)

    def __init__(self) -> None:
        self._latest: dict[object, object] = {}

    def put(self, kind: type, message: object, /) -> bool:
        """Keep this one instead of the one before; whether it needs a slip of its own."""
        with _LOCK:
            replaced = self._latest.get(kind, NOTHING)
            self._latest[kind] = message
        return replaced is NOTHING  # what was replaced is let go of after the lock

    def peek(self, kind: object, /) -> object:
        """Return the latest of that kind."""
        return self._latest.get(kind, NOTHING)

    def take(self, kind: object, /) -> object:
        """Return the latest of that kind, and wait for another."""
        with _LOCK:
            return self._latest.pop(kind, NOTHING)

    def freeze(self) -> tuple[tuple[object, object], ...]:
        """Return all that waits, with its kinds."""
        return tuple(self._latest.items())

    def thaw(self, frozen: tuple[tuple[object, object], ...]) -> None:
        """Let exactly this wait."""
        self._latest = dict(frozen)
