"""Locks that a whole module shares.

They are re-entrant: while one is held the garbage collector may run, and a destructor that it runs
on this thread may send something, which takes the lock again. So whoever holds one leaves nothing
half done between two calls, and lets go of no object of a user's before it has let go of the lock.
"""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import Protocol


class Lock(Protocol):
    """What is held while a ``with`` lasts."""

    def __enter__(self) -> bool:
        """Take it."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        """Give it back."""
        ...


def shared_lock() -> Lock:
    """Return a lock that is free in a forked child, whoever held it in the parent."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        # Private, but what the standard library itself does with its locks; hence getattr.
        os.register_at_fork(after_in_child=getattr(lock, "_at_fork_reinit"))  # noqa: B009
    return lock
