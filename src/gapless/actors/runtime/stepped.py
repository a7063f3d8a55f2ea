"""The dispatcher of tests and of replay: nothing runs until it is told to, one message at a time.

It is what makes schedules reproducible: ``ready`` are the mailboxes that have work, in the order
in which they got it, and ``step`` lets one of them take one message.
"""

from __future__ import annotations

import threading
from _thread import get_ident
from collections.abc import Callable
from typing import final

from gapless.actors.runtime.dispatch import Abandoned, Runnable
from gapless.actors.runtime.waiting import BlockedDispatcherError


@final
class SteppedDispatcher:
    """Runs mailboxes on the thread that steps it.

    ``driver`` is that thread; only on it does a wait run other mailboxes.
    """

    def __init__(self) -> None:
        self.driver: int = get_ident()
        self._lock = threading.Lock()
        self._ready: list[Runnable] = []
        self._closed: bool = False
        self._abandoned = Abandoned()

    @property
    def ready(self) -> tuple[Runnable, ...]:
        """The mailboxes that have work."""
        with self._lock:
            return tuple(self._ready)

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox be among those that have work."""
        with self._lock:
            closed = self._closed
            if not closed:
                self._ready.append(mailbox)
        if closed:
            self._abandoned.add(mailbox)

    def step(self, mailbox: Runnable | None = None) -> bool:
        """Let ``mailbox``, or the first that has work, take one message; ``False`` if none has.

        Raises:
            ValueError: that mailbox has no work.

        """
        with self._lock:
            if mailbox is None:
                if not self._ready:
                    return False
                mailbox = self._ready[0]
            self._ready.remove(mailbox)
        if mailbox.run(1):
            self.submit(mailbox)
        return True

    def run(self) -> int:
        """Step until nobody has work, and return how often."""
        steps = 0
        while self.step():
            steps += 1
        return steps

    def lend(self, done: Callable[[], bool], /) -> None:
        """Run others until the answer is there.

        Raises:
            BlockedDispatcherError: nobody has work, and the answer is not there.

        """
        if get_ident() != self.driver:
            return
        while not done():
            if not self.step():
                msg = "the answer is owed, and no actor has a message left to take"
                raise BlockedDispatcherError(msg)

    def close(self, *, wait: bool = True) -> None:  # noqa: ARG002 - it has no thread to wait for
        """Run nothing more."""
        with self._lock:
            self._closed = True
            left, self._ready = self._ready, []
        for mailbox in left:
            self._abandoned.add(mailbox)
