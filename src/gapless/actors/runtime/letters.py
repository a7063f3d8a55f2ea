"""Dead letters: messages nobody handled, as published facts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import final

from msgspec import Struct

from gapless.actors.runtime.logs import contained


@final
class Death(StrEnum):
    """Why nobody handled a message."""

    PARKED = "parked"
    FATAL = "fatal"
    UNDELIVERED = "undelivered"


@final
class DeadLetter(Struct, frozen=True, kw_only=True):
    """A message that was taken and not handled; ``actor`` is the name of its actor's class.

    ``PARKED``: its handler raised, and raised again when it was tried once more (``error``).
    ``FATAL``: its handler raised, and its actor ended with it.
    ``UNDELIVERED``: it was waiting when its actor stopped.
    """

    actor: str
    message: object
    death: Death
    error: str = ""


@final
class DeadLetters:
    """Tells whoever subscribed of each dead letter; keeps none."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._subscribers: list[Callable[[DeadLetter], object]] = []
        self.count: int = 0

    def subscribe(self, subscriber: Callable[[DeadLetter], object]) -> None:
        """Call ``subscriber`` with each dead letter; on the thread it died on, so be brief."""
        self._subscribers.append(subscriber)

    def publish(self, letter: DeadLetter) -> None:
        """Tell all subscribers; one that raises keeps no other from hearing."""
        with self._lock:
            self.count += 1
        for subscriber in tuple(self._subscribers):
            told = partial(subscriber, letter)
            contained(told, "Unhandled exception in a subscriber to dead letters:")
