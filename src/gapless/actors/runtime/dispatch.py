"""What runs actors: the contract of a dispatcher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

THROUGHPUT: Final = 16
"""Messages a mailbox may take in one turn. Of 1 to 256, 16 gave 85 % of the most throughput
while a quiet neighbour still had its turn within 0.25 ms (measured)."""


class Runnable(Protocol):
    """What a dispatcher runs: a mailbox."""

    def run(self, limit: int) -> bool:
        """Take a turn of at most ``limit`` messages; ``True`` if it is to be scheduled again."""
        ...


class Dispatcher(Protocol):
    """Runs mailboxes that have work, each by at most one thread at a time."""

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox have a turn soon. Called from any thread, and never blocks."""
        ...

    def lend(self, done: Callable[[], bool], /) -> None:
        """Hear that this thread is about to wait for an answer that one of its mailboxes owes.

        A dispatcher of one thread must see to it that somebody can bring that answer: by
        running mailboxes here until ``done()``, or by letting another thread take over.

        Raises:
            BlockedDispatcherError: nobody could ever bring it.

        """
        ...

    def close(self, *, wait: bool = True) -> None:
        """End its threads; what is submitted later is not run.

        ``wait`` until they have ended, unless one of them calls this. A handler that never returns
        would make that for ever.
        """
        ...
