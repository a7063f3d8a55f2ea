"""The dispatcher of tests and of replay: nothing runs until it is told to, one message at a time.

It is what makes schedules reproducible: ``ready`` are the mailboxes that have work, in the order
in which they got it, and ``step`` lets one of them take one message.
"""

from __future__ import annotations

import threading
from _thread import get_ident
from collections.abc import Callable
from typing import final

from gapless.actors.runtime.dispatch import Abandoned, LetGoError, Runnable
from gapless.actors.runtime.waiting import BlockedDispatcherError


@final
class SteppedDispatcher:
    """Runs mailboxes on the thread that steps it.

    ``driver`` is that thread; only on it does a wait run other mailboxes.
    """

    def __init__(self) -> None:
        self.driver: int = get_ident()
        # Re-entrant: a destructor that the collector runs under it may send something.
        self._lock = threading.RLock()
        self._ready: list[Runnable] = []
        self._closed: bool = False
        self._abandoned = Abandoned()

    @property
    def ready(self) -> tuple[Runnable, ...]:
        """The mailboxes that have work."""
        return tuple(self._ready)

    def submit(self, mailbox: Runnable, /) -> None:
        """Let a mailbox be among those that have work."""
        self._ready.append(mailbox)
        if self._closed:  # looked at after appending: what closes sets this, then looks
            self._abandon_all()

    def step(self, mailbox: Runnable | None = None) -> bool:
        """Let ``mailbox``, or the first that has work, take one message; ``False`` if none has.

        An interrupt may fall anywhere; whatever it is, the mailbox is among those that have work
        again. So nothing is called between taking one out and saying that it was.

        Raises:
            ValueError: that mailbox has no work.

        """
        again = False
        try:
            with self._lock:
                ready = self._ready
                if mailbox is None and not ready:
                    return False
                place = 0 if mailbox is None else ready.index(mailbox)
                mailbox = ready[place]
                again = True
                del ready[place]
            again = mailbox.run(1)
        except LetGoError as late:
            again = False
            raise late.taken() from None
        finally:
            if again and mailbox is not None:
                self._ready.append(mailbox)
                if self._closed:
                    self._abandon_all()
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
        self._closed = True
        self._abandon_all()

    def _abandon_all(self) -> None:
        while True:
            with self._lock:
                if not self._ready:
                    return
                mailbox = self._ready.pop(0)
            self._abandoned.add(mailbox)
