"""An actor system: the actors it spawned, what runs them, and how they all end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import ParamSpec, Self, TypeVar, final

from pykka import Timeout

from gapless.actors.runtime.actor import MAKING
from gapless.actors.runtime.clock import Clock, ManualClock, SystemClock
from gapless.actors.runtime.dispatch import Dispatcher
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.hybrid import HybridDispatcher
from gapless.actors.runtime.letters import DeadLetter, DeadLetters, Death
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.refs import Ref
from gapless.actors.runtime.seams import stop_request
from gapless.actors.runtime.timers import Timers, TimerThread
from gapless.actors.runtime.typed import TypedActor
from gapless.actors.runtime.waiting import HERE, AskCycleError, BlockedDispatcherError

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
        # Re-entrant: a destructor that the collector runs under it may end or spawn something.
        self._lock = threading.RLock()
        self._mailboxes: dict[Mailbox, None] = {}
        self._stopped: bool = False
        self._closing: bool = False  # the last actor that ends closes the dispatcher
        self._forget_one = self.forget

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

        If this raises, a reference that the constructor gave away leads to an actor that is gone.

        Raises:
            RuntimeError: the system has stopped, and would never run it; or it runs already.
            TypeError: it has an attribute of a name that the runtime calls.

        """
        actor = self._made(lambda: make(*args, **kwargs))
        mailbox = actor.mailbox
        if mailbox.opened:
            msg = f"{mailbox.name} has been spawned before: make an actor anew for each spawn"
            raise RuntimeError(msg)
        try:
            actor.refuse_names()
            actor.join(self)
            self._add(mailbox)
            mailbox.open(actor, self.dispatcher, self._forget_one)
        except BaseException:
            self.forget(mailbox)
            self._refuse(mailbox)
            raise
        return actor.me

    def _add(self, mailbox: Mailbox) -> None:
        with self._lock:
            if self._stopped:
                msg = f"the system has stopped: {mailbox.name} would never run"
                raise RuntimeError(msg)
            self._mailboxes[mailbox] = None

    def _made(
        self, make: Callable[[], TypedActor[Commands, Queries]]
    ) -> TypedActor[Commands, Queries]:
        outer, mailboxes = MAKING.mailboxes, list[Mailbox]()
        MAKING.mailboxes = mailboxes
        try:
            return make()
        except BaseException:
            for mailbox in mailboxes:
                if not mailbox.opened:
                    self._refuse(mailbox)
            raise
        finally:
            MAKING.mailboxes = outer

    def _refuse(self, mailbox: Mailbox) -> None:
        """End an actor that could not be spawned: what it was told is a dead letter."""
        publish, name = self.dead_letters.publish, mailbox.name
        mailbox.refuse(
            lambda message: publish(
                DeadLetter(actor=name, message=message, death=Death.UNDELIVERED)
            )
        )

    def stop(self, timeout_s: float = 10.0) -> bool:
        """Stop all actors, newest first, then timers and dispatcher; whether all ended in time.

        Messages sent before are handled; later ones come back to their senders. What actors send
        each other while they stop may find its receiver gone, and is a dead letter then.

        In a handler it does not wait for the actor that it is called in, nor for one that waits for
        that, nor for any of its own event loop. They end in their turn, and the last of them closes
        the dispatcher.
        """
        until = time.monotonic() + timeout_s
        in_time, unwaited = True, set[Mailbox]()
        while in_time and (others := self._others(unwaited)):  # again if one spawned meanwhile
            for mailbox, ended in [(it, self._ending(it)) for it in reversed(others)]:
                try:
                    ended.get(timeout=until - time.monotonic())
                except Timeout:
                    in_time = False
                except (AskCycleError, BlockedDispatcherError):
                    unwaited.add(mailbox)
            if time.monotonic() >= until and self._others(unwaited):
                in_time = False
        me = HERE.mailbox
        if isinstance(me, Mailbox) and me in self._mailboxes:
            me.put(stop_request(Reply()))
        with self._lock:
            self._stopped = True
        if self._timer_thread is not None:
            self._timer_thread.close(until - time.monotonic())
        all_ended = in_time and not self._others(set())
        with self._lock:
            self._closing = in_time and bool(self._mailboxes)
        if not self._closing:
            self.dispatcher.close(wait=all_ended and me is None)
        return all_ended

    def _others(self, unwaited: set[Mailbox]) -> list[Mailbox]:
        """Return the actors that have not ended, but for the one whose handler this is."""
        me = HERE.mailbox
        return [it for it in tuple(self._mailboxes) if it is not me and it not in unwaited]

    def end(self, mailbox: Mailbox) -> None:
        """Ask one actor to stop, in its turn."""
        try:
            mailbox.put(stop_request(Reply()))
        except RuntimeError:  # it waits, though the dispatcher has no thread for it by now
            logged("%s could not be scheduled:", mailbox.name)

    def _ending(self, mailbox: Mailbox) -> Reply[None]:
        """Ask one to stop; the answer comes when it has ended, and not while it is ending."""
        ended: Reply[None] = Reply()
        ended.owed_by = mailbox
        mailbox.when_ended(ended.set)
        self.end(mailbox)
        return ended

    def forget(self, mailbox: Mailbox) -> None:
        """Hear that the actor behind it has ended."""
        with self._lock:
            self._mailboxes.pop(mailbox, None)
            last = self._closing and not self._mailboxes
        if last:
            self.dispatcher.close(wait=False)
