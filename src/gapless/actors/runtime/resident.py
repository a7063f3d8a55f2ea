"""What lives behind a mailbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gapless.actors.runtime.flags import StopFlag
from gapless.actors.runtime.seams import Envelope


class Resident(Protocol):
    """What lives behind a mailbox: the actor, as far as the mailbox knows it."""

    @property
    def stop_flag(self) -> StopFlag:
        """Up once it takes no more messages."""
        ...

    def began(self) -> None:
        """Run ``on_start``, before the first message."""
        ...

    def take(self, message: object) -> None:
        """Handle a message nobody waits on."""
        ...

    def answer(self, envelope: Envelope[object]) -> None:
        """Handle a message of pykka's own kind, answering if it is asked to."""
        ...

    def undertaker(self) -> Callable[[object], object]:
        """Return what hears of messages that nobody will handle; it must not hold the actor."""
        ...

    def abandoned(self) -> None:
        """Hear that it gets no more turns, not even to stop."""
        ...

    def ended(self) -> None:
        """Hear that it has taken its last message."""
        ...
