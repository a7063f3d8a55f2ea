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

import sys
from _thread import allocate_lock
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Full
from typing import Final, NamedTuple, cast, final

from pykka import ActorDeadError, Future

from gapless.actors.runtime.dispatch import Dispatcher, LetGoError
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.limits import called
from gapless.actors.runtime.locks import shared_lock
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.resident import Resident
from gapless.actors.runtime.seams import Envelope, ExcInfo, is_envelope, is_stop
from gapless.actors.runtime.slips import NOTHING, Holder, Samples, Slip
from gapless.actors.runtime.waiting import HERE, Owed

_LOCK: Final = shared_lock()

LONG: Final = 32
"""From this length on taking the first of a list costs more than reversing it."""


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
        "_forget",
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
        self._forget: Callable[[Mailbox], object] | None = None
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

    @property
    def opened(self) -> bool:
        """Whether somebody lives here, or did."""
        return self.closed or self._dispatcher is not None

    def open(
        self,
        resident: Resident,
        dispatcher: Dispatcher,
        forget: Callable[[Mailbox], object] | None = None,
    ) -> None:
        """Let ``resident`` live here; its first turn runs ``began``, and ``forget`` hears its end.

        Raises:
            RuntimeError: it was opened before.

        """
        if self.opened:
            msg = f"{self.name} was started before, and an actor starts once"
            raise RuntimeError(msg)
        self.name = called(resident)
        self._resident = resident
        self._dispatcher = dispatcher
        self._forget = forget
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
            made = Samples()
            with _LOCK:
                samples = self._samples = self._samples or made
        if samples.put(kind := type(message), message):
            self._push(Slip(samples, kind))

    def post_slip(self, holder: Holder, key: object, /) -> None:
        """Take a place in the queue for what ``holder`` says under ``key`` when its turn comes."""
        self._push(Slip(holder, key))

    def when_ended(self, call: Callable[[], object], /) -> Callable[[], object]:
        """Call once the actor has ended, now if it has; return what takes that back."""
        key, made = object(), dict[object, Callable[[], object]]()
        with _LOCK:
            if not self.ended:
                if self._when_ended is None:
                    self._when_ended = made
                self._when_ended[key] = call
                return lambda: self._not_when_ended(key)
        call()
        return _nothing

    def _not_when_ended(self, key: object) -> None:
        call = None
        with _LOCK:
            if self._when_ended is not None:
                call = self._when_ended.pop(key, None)
        del call  # let go of after the lock: it may be the last to hold what it calls

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
                if not self.closed:
                    self._guard(lambda: self._turn(resident, limit), resident)
                if self.closed or resident.stop_flag.raised:
                    self._end(resident)
        finally:
            HERE.mailbox = outer
        if self.closed:
            self._bury()
            return False
        if self._queue or self._backlog:
            return True
        try:
            self._busy.release()
            if not self._queue:
                return False
            (held,) = map(self._busy.acquire, (False,))  # no call between acquiring and saying so
        except BaseException as interrupt:  # that fell here, where it was free
            if self._queue and self._busy.acquire(blocking=False):
                raise
            raise LetGoError(interrupt) from None
        return held

    def abandon(self) -> None:
        """End its actor without a turn: its dispatcher is closed, and this was submitted to it."""
        resident = self._resident
        if resident is not None:
            self._guard(resident.abandoned, resident)
            self._end(resident)
        self._bury()

    def _guard(self, part: Callable[[], object], resident: Resident) -> None:
        """Let nothing escape to the dispatcher: what its actor does not contain ends that actor."""
        _ = self._quietly(part) or self._quietly(resident.stop_flag.set)

    def _quietly(self, part: Callable[[], object]) -> bool:
        try:
            part()
        except BaseException:  # noqa: BLE001 - logged; its thread is everybody's
            logged("A fault escaped from %s:", self.name)
            return False
        return True

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
        self._tell_ended()
        self._resident = None  # actor and mailbox let go of each other

    def _close(self, resident: Resident) -> None:
        self.closed = True
        self._undertaker = resident.undertaker()

    def _tell_ended(self) -> None:
        self._quietly(lambda: self._forget(self) if self._forget else None)
        with _LOCK:
            self.ended = True
            calls, self._when_ended = self._when_ended, None
        for call in calls.values() if calls else ():
            self._quietly(call)

    def refuse(self, undertaker: Callable[[object], object]) -> None:
        """End an actor that could not be spawned, and will never run."""
        resident, self._resident = self._resident, None
        self._undertaker, self.closed = undertaker, True
        if resident is not None:
            resident.stop_flag.set()  # a turn that has begun all the same takes nothing
        self._return_to_senders()
        self._tell_ended()
        self._bury()

    def _bury(self) -> None:
        """Return what waits, free the mailbox, and look again: no sender is left without word."""
        while True:
            self._return_to_senders()
            with suppress(RuntimeError):  # free already: it was to run, and then refused
                self._busy.release()
            if self.empty() or not self._busy.acquire(blocking=False):
                return

    def _return_to_senders(self) -> None:
        """Answer whatever reached a stopped actor, however late: stock can lose an ask here."""
        undertaker = self._undertaker or _nothing
        while not self.empty():
            item = self._next()
            if isinstance(item, Slip):
                item = item.last()
                if item is NOTHING:
                    continue
            if not is_envelope(item):
                self._quietly(partial(undertaker, item))
            elif item.reply_to is None:
                if not is_stop(item.message):
                    self._quietly(partial(undertaker, item.message))
            elif is_stop(item.message):
                settle(item.reply_to, None)
            else:
                gone = ActorDeadError(f"{self.name} stopped before handling the message")
                settle(item.reply_to, None, (ActorDeadError, gone, None))


def _nothing(*_: object) -> None:
    """Take back what has happened already; hear of a message that nobody wants to hear of."""


def settle(reply: Future[object], value: object, exc_info: ExcInfo | None = None) -> None:
    """Give an answer; it is not this thread's failure if somebody else has given one."""
    with suppress(Full):
        if exc_info is None:
            reply.set(value)
        else:
            reply.set_exception(exc_info)
