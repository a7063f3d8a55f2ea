"""What can happen in a state, in words: a schedule is a list of these."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias, final

from msgspec import Struct


@final
class Fault(Enum):
    """What goes wrong with one message. The value is how a schedule says it."""

    RAISES_ONCE = "the handler raises, and not again"
    """Its step is computed and then raises; when it is tried once more it does not."""

    RAISES_TWICE = "the handler raises, and again"
    """So the message is parked, and its actor says what comes of it with ``parked``."""

    DELAYS_OUTBOX = "its sends are delayed"
    """The state is committed and its sends are not: they go out later, at any time until that
    actor takes its next message, in order and before all that it sends then."""

    LOSES = "it is lost"
    """It vanishes instead of being delivered, if the scenario says that it is losable."""

    REPEATS = "it comes once more later"
    """It is delivered, and a copy of it goes to the end of that mailbox."""


@final
class Deliver(Struct, frozen=True, kw_only=True):
    """An actor takes its next message; ``message`` is its ``repr``, for a person to read."""

    actor: str
    message: str = ""
    fault: Fault | None = None

    def __str__(self) -> str:
        trouble = "" if self.fault is None else f": {self.fault.value}"
        return f"{self.actor} takes {self.message}{trouble}"


@final
class SendLate(Struct, frozen=True, kw_only=True):
    """The delayed sends of an actor go out."""

    actor: str

    def __str__(self) -> str:
        return f"{self.actor} sends what was delayed"


@final
class Make(Struct, frozen=True, kw_only=True):
    """A move of the scenario is made."""

    move: str

    def __str__(self) -> str:
        return f"move: {self.move}"


@final
class Wait(Struct, frozen=True, kw_only=True):
    """No message waits, and time goes on until the next timer fires."""

    until_ms: int

    def __str__(self) -> str:
        return f"time goes on to {self.until_ms} ms"


Step: TypeAlias = Deliver | SendLate | Make | Wait
