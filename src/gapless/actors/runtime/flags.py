"""A stopped flag that costs nothing until somebody waits for it."""

from __future__ import annotations

import threading
from _thread import LockType, allocate_lock
from typing import Final, Never, final

from gapless.actors.runtime.limits import lock_timeout
from gapless.actors.runtime.locks import shared_lock

_GUARD: Final = shared_lock()


@final
class StopFlag(threading.Event):
    """An ``Event`` without the Condition (1.5 KB) that each stock actor carries for its flag."""

    def __init__(self) -> None:
        # deliberately not Event.__init__: that makes the Condition
        self.raised: bool = False
        self._baton: LockType | None = None

    def is_set(self) -> bool:
        """Whether the flag is up; a plain attribute read."""
        return self.raised

    def set(self) -> None:
        """Raise the flag, for good."""
        with _GUARD:
            first = not self.raised
            self.raised = True
            baton = self._baton
        if first and baton is not None:
            baton.release()

    def clear(self) -> Never:
        """Refuse: an actor that has stopped does not start again.

        Raises:
            RuntimeError: always.

        """
        msg = "a stopped actor stays stopped: its flag cannot be cleared"
        raise RuntimeError(msg)

    def __repr__(self) -> str:
        return f"<StopFlag: {'up' if self.raised else 'down'}>"

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the flag is up, at most ``timeout`` seconds, and say whether it is."""
        made = allocate_lock()
        made.acquire()
        with _GUARD:
            if self.raised:
                return True
            baton = self._baton
            if baton is None:
                baton = self._baton = made
        if baton.acquire(timeout=lock_timeout(timeout)):
            baton.release()  # the next thread that waits here
        return self.raised
