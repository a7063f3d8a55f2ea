"""An actor system: the actors it spawned, what runs them, and how they all end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import ParamSpec, Self, TypeVar, final

from pykka import Timeout

from gapless.actors.runtime.clock import Clock, ManualClock, SystemClock
from gapless.actors.runtime.dispatch import Dispatcher
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.hybrid import HybridDispatcher
from gapless.actors.runtime.letters import DeadLetters
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.refs import Ref
from gapless.actors.runtime.seams import stop_request
from gapless.actors.runtime.timers import Timers, TimerThread
from gapless.actors.runtime.typed import TypedActor
from gapless.actors.runtime.waiting import HERE

Arguments = ParamSpec("Arguments")
Commands = TypeVar("Commands")
Queries = TypeVar("Queries")


@final
class ActorSystem:
    """Spawns typed actors on one dispatcher; leaving it stops them all.

    With a ``ManualClock`` the caller fires the timers: ``timers.fire_due()``. On an event loop
    use ``async with``: to wait there for actors of that loop would stop it.

    >>> with ActorSystem() as system:
    ...     system.alive
    0
    """

    def __init__(self, dispatcher: Dispatcher | None = None, clock: Clock | None = None) -> None:
        self.clock: Clock = SystemClock() if clock is None else clock
        self.dispatcher: Dispatcher = HybridDispatcher() if dispatcher is None else dispatcher
        self.timers: Timers = Timers(self.clock)
        self.dead_letters: DeadLetters = DeadLetters()
        by_hand = isinstance(clock, ManualClock)
        self._timer_thread = None if by_hand else TimerThread(self.timers, self.clock)
        self._lock = threading.Lock()
        self._mailboxes: dict[Mailbox, None] = {}
        self._stopped: bool = False

    def __enter__(self) -> Self:
        """Return the system itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop what it spawned."""
        self.stop()

    async def __aenter__(self) -> Self:
        """Return the system itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop what it spawned, while the loop goes on."""
        await asyncio.to_thread(self.stop)

    @property
    def alive(self) -> int:
        """How many of its actors have not stopped."""
        return len(self._mailboxes)

    @property
    def mailboxes(self) -> tuple[Mailbox, ...]:
        """The mailboxes of its actors that have not stopped, in the order of their spawning."""
        with self._lock:
            return tuple(self._mailboxes)

    def spawn(
        self,
        make: Callable[Arguments, TypedActor[Commands, Queries]],
        /,
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Ref[Commands, Queries]:
        """Make an actor and let it run; its first turn runs ``on_start``.

        Raises:
            RuntimeError: the system has stopped, and would never run it.

        """
        actor = make(*args, **kwargs)
        actor.join(self)
        with self._lock:
            if self._stopped:
                msg = f"the system has stopped: {actor.label} would never run"
                raise RuntimeError(msg)
            self._mailboxes[actor.mailbox] = None
        actor.mailbox.open(actor, self.dispatcher)
        return actor.me

    def stop(self, timeout_s: float = 10.0) -> bool:
        """Stop all actors, newest first, then timers and dispatcher; whether all ended in time.

        Messages sent before are handled; later ones come back to their senders. What actors send
        each other while they stop may find its receiver gone, and is a dead letter then. In a
        handler it does not wait for the actor that it is called in.
        """
        until = time.monotonic() + timeout_s
        in_time = True
        while in_time and (others := self._others()):  # again if one spawned while it stopped
            for ended in [self._ending(mailbox) for mailbox in reversed(others)]:
                try:
                    ended.get(timeout=until - time.monotonic())
                except Timeout:
                    in_time = False
        me = HERE.mailbox
        if isinstance(me, Mailbox) and me in self._mailboxes:
            me.put(stop_request(Reply()))
        with self._lock:
            self._stopped = True
        if self._timer_thread is not None:
            self._timer_thread.close()
        self.dispatcher.close(wait=in_time and me is None)
        return in_time

    def _others(self) -> list[Mailbox]:
        """Return the actors that have not ended, but for the one whose handler this is."""
        with self._lock:
            return [it for it in self._mailboxes if it is not HERE.mailbox]

    def _ending(self, mailbox: Mailbox) -> Reply[None]:
        """Ask one to stop; the answer comes when it has ended, and not while it is ending."""
        ended: Reply[None] = Reply()
        ended.owed_by = mailbox
        mailbox.when_ended(ended.set)
        mailbox.put(stop_request(Reply()))
        return ended

    def forget(self, mailbox: Mailbox) -> None:
        """Hear that the actor behind it has ended."""
        with self._lock:
            self._mailboxes.pop(mailbox, None)
