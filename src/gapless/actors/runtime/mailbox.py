"""A mailbox: an actor's inbox, and the unit that a dispatcher schedules.

The protocol has no condition variable and no lock per message. ``_busy`` is a raw lock used as an
atomic flag: free means idle, held means scheduled or running.

* A sender appends, then tries ``_busy.acquire(False)``; whoever gets it submits the mailbox.
* A worker runs at most ``limit`` messages. If nothing is left it frees ``_busy``, *then looks
  again*, and takes it back if something slipped in meanwhile: no lost wake-up.

So at most one thread is in one actor, and a mailbox is in at most one run queue. "Append, and
schedule if the length is 1" was refused: two senders can both see 2.

The queue is a list: 56 bytes when idle, against 760 for a deque, and most actors are idle. A long
backlog is moved out whole and reversed, so that taking from it stays O(1).

Bounds. A mailbox never makes a sender wait: bounded queues with blocking senders deadlock. Facts
are always taken. Of a sample only the latest of its kind is kept. Anything else is refused to the
sender's face when ``capacity`` messages wait. Asks, and stopping, are never refused.
"""

from __future__ import annotations

import logging
import sys
from _thread import allocate_lock
from collections.abc import Callable
from contextlib import suppress
from queue import Full
from typing import Final, NamedTuple, Protocol, cast, final

from pykka import ActorDeadError, Future

from gapless.actors.runtime.dispatch import Dispatcher
from gapless.actors.runtime.flags import StopFlag
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.seams import Envelope, ExcInfo, is_envelope, is_stop
from gapless.actors.runtime.slips import NOTHING, Holder, Samples, Slip
from gapless.actors.runtime.waiting import HERE, Owed

_log: Final = logging.getLogger("pykka")
_LOCK: Final = allocate_lock()

LONG: Final = 32
"""From this length on taking the first of a list costs more than reversing it."""


class Resident(Protocol):
    """What lives behind a mailbox: the actor, as far as the mailbox knows it."""

    @property
    def stop_flag(self) -> StopFlag:
        """Up once it takes no more messages."""
        ...

    @property
    def label(self) -> str:
        """What a person calls it."""
        ...

    def began(self) -> None:
        """Run ``on_start``, before the first message."""
        ...

    def take(self, message: object) -> None:
        """Handle a message nobody waits on."""
        ...

    def answer(self, envelope: Envelope[object]) -> None:
        """Handle a message of pykka's own kind, answering if it is asked to."""
        ...

    def undertaker(self) -> Callable[[object], object]:
        """Return what hears of messages that nobody will handle; it must not hold the actor."""
        ...

    def abandoned(self) -> None:
        """Hear that it gets no more turns, not even to stop."""
        ...

    def ended(self) -> None:
        """Hear that it has taken its last message."""
        ...


class Waiting(NamedTuple):
    """What waits in a mailbox, first to last, and the samples that its slips stand for."""

    items: tuple[object, ...]
    samples: tuple[tuple[object, object], ...]


@final
class Mailbox:
    """pykka's ``ActorInbox``, run in turns by a dispatcher."""

    __slots__ = (
        "_backlog",
        "_busy",
        "_dispatcher",
        "_queue",
        "_resident",
        "_samples",
        "_started",
        "_undertaker",
        "_when_ended",
        "capacity",
        "closed",
        "ended",
        "name",
        "waits_for",
    )

    def __init__(self, capacity: int = sys.maxsize) -> None:
        self.capacity: int = capacity
        self.closed: bool = False
        self.ended: bool = False
        self.name: str = "an actor"
        self.waits_for: Owed | None = None
        self._queue: list[object] = []
        self._backlog: list[object] | None = None
        self._samples: Samples | None = None
        self._busy = allocate_lock()
        self._busy.acquire()  # not to be scheduled before it is opened
        self._resident: Resident | None = None
        self._dispatcher: Dispatcher | None = None
        self._started: bool = False
        self._undertaker: Callable[[object], object] | None = None
        self._when_ended: dict[object, Callable[[], object]] | None = None

    @property
    def lends(self) -> Callable[[Callable[[], bool]], object] | None:
        """How the dispatcher goes on while one of its threads waits."""
        return None if self._dispatcher is None else self._dispatcher.lend

    @property
    def resident(self) -> Resident | None:
        """Who lives here, from its first turn to its last."""
        return self._resident

    def open(self, resident: Resident, dispatcher: Dispatcher) -> None:
        """Let ``resident`` live here; its first turn runs ``began``."""
        self.name = resident.label
        self._resident = resident
        self._dispatcher = dispatcher
        dispatcher.submit(self)

    def put(self, envelope: Envelope[object], /) -> None:
        """Take pykka's envelope, whatever waits already."""
        reply = envelope.reply_to
        if isinstance(reply, Reply):
            reply.owed_by = self
        self._push(envelope)

    def post(self, message: object, /) -> bool:
        """Take a bare message; ``False`` if ``capacity`` messages wait already."""
        backlog = self._backlog
        if len(self._queue) + (len(backlog) if backlog else 0) >= self.capacity:
            return False
        self._queue.append(message)
        if self._busy.acquire(False):  # noqa: FBT003 - as in _push, without its frame
            self._awake()
        return True

    def post_fact(self, message: object, /) -> None:
        """Take a message that may not be refused, whatever waits already."""
        self._push(message)

    def post_sample(self, message: object, /) -> None:
        """Take a message that replaces the one of its type that waits, if one does."""
        samples = self._samples
        if samples is None:
            with _LOCK:
                samples = self._samples = self._samples or Samples()
        if samples.put(kind := type(message), message):
            self._push(Slip(samples, kind))

    def post_slip(self, holder: Holder, key: object, /) -> None:
        """Take a place in the queue for what ``holder`` says under ``key`` when its turn comes."""
        self._push(Slip(holder, key))

    def when_ended(self, call: Callable[[], object], /) -> Callable[[], object]:
        """Call once the actor has ended, now if it has; return what takes that back."""
        key = object()
        with _LOCK:
            if not self.ended:
                if self._when_ended is None:
                    self._when_ended = {}
                self._when_ended[key] = call
                return lambda: self._not_when_ended(key)
        call()
        return _nothing

    def _not_when_ended(self, key: object) -> None:
        with _LOCK:
            if self._when_ended is not None:
                self._when_ended.pop(key, None)

    def _push(self, item: object) -> None:
        self._queue.append(item)
        if self._busy.acquire(blocking=False):
            self._awake()

    def _awake(self) -> None:
        """Be scheduled; or, if the last turn was taken, return what has come since."""
        if self.closed:
            self._bury()
            return
        assert self._dispatcher is not None  # noqa: S101 - it is busy until it is opened
        self._dispatcher.submit(self)

    def get(self) -> Envelope[object]:
        """Take the next message out, as pykka's own loop would."""
        item = self._next()
        return item if is_envelope(item) else Envelope(item)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._queue and not self._backlog

    def __len__(self) -> int:
        """How many messages wait."""
        backlog = self._backlog
        return len(self._queue) + (len(backlog) if backlog else 0)

    def freeze(self) -> Waiting:
        """Return what waits, while nobody sends to it or runs it."""
        backlog, samples = self._backlog, self._samples
        items = (*reversed(backlog), *self._queue) if backlog else tuple(self._queue)
        return Waiting(items, samples.freeze() if samples is not None else ())

    def thaw(self, waiting: Waiting) -> None:
        """Let exactly this wait, in a mailbox that is open, while nobody sends to it or runs it.

        If nothing does, it may still be scheduled: it finds nothing in that turn, and is idle.
        """
        self._backlog = None
        self._queue[:] = waiting.items
        if self._samples is not None:
            self._samples.thaw(waiting.samples)
        if waiting.items and self._busy.acquire(blocking=False):
            self._awake()

    def _next(self) -> object:
        backlog, queue = self._backlog, self._queue
        if not backlog and len(queue) >= LONG:
            self._backlog = backlog = self._set_aside()
        if not backlog:
            return queue.pop(0)
        item = backlog.pop()
        if not backlog:
            self._backlog = None
        return item

    def _set_aside(self) -> list[object]:
        queue = self._queue
        backlog = queue[:]
        del queue[: len(backlog)]  # what was appended meanwhile stays
        backlog.reverse()
        return backlog

    def run(self, limit: int) -> bool:
        """Take a turn of at most ``limit`` messages; ``True`` if it is to be scheduled again."""
        resident, outer = self._resident, HERE.mailbox
        HERE.mailbox = self
        try:
            if resident is not None:
                self._guard(lambda: self._turn(resident, limit), resident)
                if resident.stop_flag.raised:
                    self._end(resident)
        finally:
            HERE.mailbox = outer
        if self.closed:
            self._bury()
            return False
        if self._queue or self._backlog:
            return True
        self._busy.release()
        return bool(self._queue) and self._busy.acquire(False)  # noqa: FBT003 - for speed

    def abandon(self) -> None:
        """End its actor without a turn: its dispatcher is closed, and this was submitted to it."""
        resident = self._resident
        if resident is not None:
            self._guard(resident.abandoned, resident)
            self._end(resident)
        self._bury()

    def _guard(self, part: Callable[[], object], resident: Resident) -> None:
        """Let nothing escape to the dispatcher: what its actor does not contain ends that actor."""
        try:
            part()
        except BaseException:  # noqa: BLE001 - logged; its thread is everybody's
            _log.exception("A fault escaped from %s:", self.name)
            resident.stop_flag.set()

    def _turn(self, resident: Resident, limit: int) -> None:
        if not self._started:
            self._started = True
            resident.began()
        # One frame a message: what is looked up once here is what a hop costs less.
        queue, stop, take = self._queue, resident.stop_flag, resident.take
        while limit and not stop.raised:
            backlog = self._backlog
            if backlog:
                item = backlog.pop()
                if not backlog:
                    self._backlog = None
            elif not queue:
                return
            elif len(queue) < LONG:
                item = queue.pop(0)
            else:
                self._backlog = self._set_aside()
                continue
            limit -= 1
            kind = type(item)
            if kind is Envelope:
                resident.answer(cast("Envelope[object]", item))  # the line above says so
            elif kind is Slip:
                message = cast("Slip", item).take()  # likewise
                if message is not NOTHING:
                    take(message)
            else:
                take(item)

    def _end(self, resident: Resident) -> None:
        self._guard(lambda: self._close(resident), resident)
        self._return_to_senders()
        self._guard(resident.ended, resident)
        with _LOCK:
            self.ended = True
            calls, self._when_ended = self._when_ended or {}, None
        for call in calls.values():
            self._guard(call, resident)

    def _close(self, resident: Resident) -> None:
        self.closed = True
        self._resident = None  # actor and mailbox let go of each other
        self._undertaker = resident.undertaker()

    def _bury(self) -> None:
        """Return what waits, free the mailbox, and look again: no sender is left without word."""
        while True:
            self._return_to_senders()
            self._busy.release()
            if self.empty() or not self._busy.acquire(blocking=False):
                return

    def _return_to_senders(self) -> None:
        """Answer whatever reached a stopped actor, however late: stock can lose an ask here."""
        undertaker = self._undertaker or _nobody
        while not self.empty():
            item = self._next()
            if isinstance(item, Slip):
                item = item.take()
                if item is NOTHING:
                    continue
            if not is_envelope(item):
                undertaker(item)
            elif item.reply_to is None:
                if not is_stop(item.message):
                    undertaker(item.message)
            elif is_stop(item.message):
                settle(item.reply_to, None)
            else:
                gone = ActorDeadError(f"{self.name} stopped before handling the message")
                settle(item.reply_to, None, (ActorDeadError, gone, None))


def _nobody(message: object) -> None:
    """Hear of a message that nobody wants to hear of."""


def _nothing() -> None:
    """Take back what has happened already."""


def settle(reply: Future[object], value: object, exc_info: ExcInfo | None = None) -> None:
    """Give an answer; it is not this thread's failure if somebody else has given one."""
    with suppress(Full):
        if exc_info is None:
            reply.set(value)
        else:
            reply.set_exception(exc_info)
