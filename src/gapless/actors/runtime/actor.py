"""A pykka actor that lives on a dispatcher instead of on a thread of its own.

It *is* a ``pykka.Actor``: refs, proxies, futures and the registry work unchanged, and pykka's own
test suite passes on it. Five things of the stock actor are wrong for a host of many, and differ:

* a ``BaseException`` in one handler stops every actor of the process; here it stops that one,
  and the asker is answered;
* ``await`` on an answer blocks the loop; here it suspends;
* an ask that arrives while an actor stops can be lost; here a closed mailbox answers it;
* an ask of oneself hangs; here it fails, with the cycle named;
* stopping and looking up are slow, because pykka's registry is a list that is searched; an
  ``ActorSystem`` keeps its own.
"""

from __future__ import annotations

import logging
import random
import sys
import threading
from collections.abc import Callable
from os import urandom
from types import TracebackType
from typing import ClassVar, Final, Never

from pykka import Actor, ActorRef, ActorRegistry

from gapless.actors.runtime.dispatch import Dispatcher
from gapless.actors.runtime.flags import StopFlag
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.mailbox import Mailbox, settle
from gapless.actors.runtime.seams import CONTROL, ActorInbox, Envelope

_bits: Final[Callable[[int], int]] = random.Random(urandom(32)).getrandbits  # noqa: S311 - a name


_METHODS: Final = (
    *("abandoned", "answer", "began", "ended", "join", "take", "undertaker"),
    *("freeze", "send_late", "thaw"),
    *("_end_by_failure", "_expecting", "_flush", "_handle_failure", "_park", "_publish"),
    *("_publisher", "_receive", "_send_again", "_step_again", "_stop", "_unlist"),
)
"""Methods with which the runtime calls an actor."""

_MACHINERY: Final = frozenset({*_METHODS, "_agenda", "_committed", "_system", "mailbox", "me"})
"""All names that are the runtime's own."""


class _Making(threading.local):
    """The mailboxes made by this thread since its innermost ``spawn`` began."""

    mailboxes: list[Mailbox] | None = None


MAKING: Final = _Making()


def new_urn() -> str:
    """Return a random URN as pykka makes them, without a system call each."""
    digits = f"{_bits(128):032x}"
    head, time_low, time_high, tail = digits[:8], digits[8:12], digits[13:16], digits[20:]
    return f"urn:uuid:{head}-{time_low}-4{time_high}-a{digits[17:20]}-{tail}"


class DispatchedActor(Actor):
    """An actor that takes turns on ``dispatcher``."""

    dispatcher: ClassVar[Dispatcher | None] = None
    """Where actors of this class run that are started as pykka starts them."""

    capacity: ClassVar[int] = sys.maxsize
    """How many messages may wait before more are refused."""

    stops_the_world: ClassVar[bool] = False
    """Whether a ``BaseException`` in a handler stops every actor that pykka's registry knows, as
    stock pykka does. For code that counts on that; a typed actor is not in it, and may not say so.
    """

    _machinery: ClassVar[bool] = True

    def __init_subclass__(cls, *, machinery: bool = False) -> None:
        """Refuse what would silently replace the runtime's own part of an actor.

        ``class Mine(DispatchedActor, machinery=True)`` says that it is meant to.

        Raises:
            TypeError: the class has, or inherits from a mixin, a name that the runtime calls.

        """
        super().__init_subclass__()
        cls._machinery = machinery
        for name in () if machinery else sorted(_MACHINERY):
            found = next((it for it in cls.__mro__ if name in vars(it)), Actor)
            if found is not Actor and not vars(found).get("_machinery", False):
                cls._refuse_name(name)

    @classmethod
    def _refuse_name(cls, name: str) -> Never:
        msg = f"{cls.__qualname__}.{name} would replace what the runtime calls: rename it"
        raise TypeError(msg)

    def refuse_names(self) -> None:
        """Refuse, before the first turn, attributes that would replace what the runtime calls.

        Raises:
            TypeError: there is one.

        """
        # Not by vars(): to look at an actor's attributes as a dictionary would make that, for good.
        of_class = type(self)
        for name in _METHODS:
            method = getattr(of_class, name, None)
            if method is not None and getattr(getattr(self, name), "__func__", None) is not method:
                self._refuse_name(name)

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        # The four fields of Actor.__init__, made of lighter parts.
        self.actor_urn: str = new_urn()
        mailbox = Mailbox(self.capacity)
        mailbox.name = type(self).__name__
        if MAKING.mailboxes is not None:
            MAKING.mailboxes.append(mailbox)
        self.actor_inbox: ActorInbox = mailbox
        self.stop_flag: StopFlag = StopFlag()
        self.actor_stopped: threading.Event = self.stop_flag
        self._actor_ref = ActorRef(self)

    @staticmethod
    def _create_actor_inbox() -> Mailbox:
        return Mailbox()

    @staticmethod
    def _create_future() -> Reply[object]:
        return Reply()

    def _start_actor_loop(self) -> None:
        if self.dispatcher is None:
            name = type(self).__name__
            self._refuse_to_start(f"{name} has no dispatcher: set its class attribute, or spawn it")
        self.mailbox.open(self, self.dispatcher)

    def _refuse_to_start(self, why: str) -> Never:
        ActorRegistry.unregister(self.actor_ref)  # or its `stop_all` would wait for it for ever
        raise TypeError(why)

    @property
    def mailbox(self) -> Mailbox:
        """Its inbox, as what it is."""
        inbox = self.actor_inbox
        assert isinstance(inbox, Mailbox)  # noqa: S101 - made so in __init__
        return inbox

    @property
    def label(self) -> str:
        """What a person calls it."""
        return type(self).__name__

    def began(self) -> None:
        """Run ``on_start``, before the first message."""
        try:
            self._actor_loop_setup()
        except BaseException:  # noqa: BLE001 - contained: one actor fails, no other
            self._handle_failure(*sys.exc_info())

    def take(self, message: object) -> None:
        """Handle a message nobody waits on; a failure is this actor's own end."""
        try:
            if type(message) in CONTROL:
                self._handle_receive(message)
            else:
                self.on_receive(message)
        except BaseException as failure:  # noqa: BLE001 - contained: one actor fails, no other
            self._end_by_failure(failure)

    def abandoned(self) -> None:
        """Hear that its dispatcher is closed: it gets no more turns, not even to stop."""
        self._unlist()
        self.stop_flag.set()

    def ended(self) -> None:
        """Hear that it has taken its last message."""

    def answer(self, envelope: Envelope[object]) -> None:
        """Handle pykka's envelope, and answer it if it asks."""
        reply = envelope.reply_to
        try:
            response = self._receive(envelope.message)
        except Exception as failure:  # noqa: BLE001 - it goes to the asker, or is contained
            if reply is None:
                self._end_by_failure(failure)
            else:
                settle(reply, None, sys.exc_info())
                logged("Exception returned from %s to caller:", self, level=logging.INFO)
        except BaseException as failure:  # noqa: BLE001 - stock would leave the asker hanging
            if reply is not None:
                settle(reply, None, sys.exc_info())
            self._end_by_failure(failure)
        else:
            if reply is not None:
                settle(reply, response)

    def undertaker(self) -> Callable[[object], object]:
        """Return what hears of messages that nobody will handle; it must not hold the actor."""
        return _forget

    def _receive(self, message: object) -> object:
        if type(message) in CONTROL:
            return self._handle_receive(message)
        return self.on_receive(message)

    def _unlist(self) -> None:
        try:
            ActorRegistry.unregister(self.actor_ref)
        except BaseException:  # noqa: BLE001 - it logs, and that may raise
            logged("%s could not be unregistered:", self)

    # The two that follow are pykka's, but that no log keeps an actor from stopping.

    def _stop(self) -> None:
        self._unlist()
        self.stop_flag.set()
        logged("Stopped %s", self, level=logging.DEBUG)
        try:
            self.on_stop()
        except Exception:  # noqa: BLE001 - it stops all the same
            self._handle_failure(*sys.exc_info())

    def _handle_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        del exception_type, exception_value, traceback  # they are the one being handled
        self._unlist()
        self.stop_flag.set()
        logged("Unhandled exception in %s:", self)

    def _end_by_failure(self, failure: BaseException) -> None:
        if self.stops_the_world and not isinstance(failure, Exception):
            logged("%r in %s. Stopping all actors.", failure, self, level=logging.DEBUG)
            self._stop()
            ActorRegistry.stop_all(block=False)
            return
        self._handle_failure(*sys.exc_info())
        try:
            self.on_failure(*sys.exc_info())
        except BaseException:  # noqa: BLE001 - a failure to tell of a failure ends here
            self._handle_failure(*sys.exc_info())


def _forget(message: object) -> None:
    del message
