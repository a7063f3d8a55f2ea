"""Time as actors see it: awake monotonic milliseconds, real or moved by hand."""

from __future__ import annotations

import time
from typing import Protocol, final


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Return monotonic milliseconds; only differences mean anything."""
        ...


@final
class SystemClock:
    """The machine's own monotonic clock, which stands still while it sleeps (Linux)."""

    def now_ms(self) -> int:
        """Return monotonic milliseconds."""
        return time.monotonic_ns() // 1_000_000


@final
class ManualClock:
    """A clock that moves when it is told to."""

    def __init__(self, at_ms: int = 0) -> None:
        self._now_ms = at_ms

    def now_ms(self) -> int:
        """Return where the clock was put."""
        return self._now_ms

    def advance(self, by_ms: int) -> None:
        """Move the clock on.

        Raises:
            ValueError: a monotonic clock does not go back.

        """
        if by_ms < 0:
            msg = f"a monotonic clock does not go back: {by_ms} ms"
            raise ValueError(msg)
        self._now_ms += by_ms

    def thaw(self, at_ms: int) -> None:
        """Be again where the clock was, for who puts all that saw it since back as well."""
        self._now_ms = at_ms
