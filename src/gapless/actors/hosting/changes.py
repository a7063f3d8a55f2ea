"""Every version of a session's view, once and in order, for a reader who may be slow.

A reader that falls behind by more than its buffer loses the oldest versions, and is told
how many: the session never waits for it, and nobody mistakes a gap for "nothing happened".
"""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias, final

from msgspec import Struct

from gapless.actors.hosting.streams import Stream
from gapless.actors.runtime.waiting import Waiter
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.view import SessionView

MOST_UNREAD: Final = 1_024
"""How many views wait for a reader unless told otherwise: a few seconds of a busy session."""


@final
class Missed(Struct, frozen=True, kw_only=True, gc=False):
    """So many versions were left out here: the reader was too slow for its buffer."""

    versions: int


Change: TypeAlias = SessionView | Missed
"""What a reader of changes reads."""


@final
class Changes(Stream[Change]):
    """The views of a session from the current one on; ``Session.changes`` makes it."""

    def __init__(self, owed_by: Waiter, most_unread: int) -> None:
        """Read at most so many views late.

        Raises:
            ValueError: there is no room for a view.

        """
        if most_unread < 1:
            msg = f"there has to be room for one view, not {most_unread}"
            raise ValueError(msg)
        super().__init__(owed_by)
        self._unread: deque[SessionView] = deque()
        self._most_unread = most_unread
        self._missed: int = 0
        self._latest: int = -1

    def put(self, view: SessionView) -> None:
        """Let the reader have a view, unless it has that version; called by the session."""
        with self._lock:
            if self._over or view.upto <= self._latest:
                return
            self._latest = view.upto
            self._unread.append(view)
            if len(self._unread) > self._most_unread:
                self._unread.popleft()
                self._missed += 1
            waiting = self._rouse()
        if waiting is not None:
            waiting.set()

    def take(self) -> Outcome[Change, None]:
        """Take the gap, then what came after it."""
        if self._missed:
            missed, self._missed = Missed(versions=self._missed), 0
            return Success(missed)
        return Success(self._unread.popleft()) if self._unread else Failure(None)
