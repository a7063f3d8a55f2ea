"""What an actor is to be told later: its timers, the answers it awaits, the ends it watches for.

All of it may outlast the actor: a timer of an hour, a watch on a neighbour that lives for ever, a
query to one that is slow. So nothing here holds the actor, only its mailbox, and all of it is
dropped when the actor ends.

A timer that was cancelled or set anew never arrives, even if it had rung and its message waited
already: in the mailbox stands a slip, which is worth something only while its alarm is the key's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TypeVar, final

from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.limits import LONGEST_S, shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.outcomes import AskFailure, TimedOut
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.slips import NOTHING
from gapless.actors.runtime.timers import Timers
from gapless.typings.outcome import Failure, Outcome

Value = TypeVar("Value")


@final
class Alarm:
    """A message for when a timer fires, known by identity; whether it ``counts`` still."""

    __slots__ = ("counts", "key", "message")

    def __init__(self, key: Hashable, message: object) -> None:
        self.key: Hashable = key
        self.message: object = message
        self.counts: bool = True


@final
class Agenda:
    """The agenda of the actor behind ``mailbox``. Its own methods are for that actor's handlers."""

    __slots__ = ("_alarms", "_mailbox", "_open", "_timers")

    def __init__(self, mailbox: Mailbox, timers: Timers) -> None:
        self._mailbox = mailbox
        self._timers = timers
        self._alarms: dict[Hashable, Alarm] = {}
        self._open: dict[object, Callable[[], object]] = {}

    @property
    def mailbox(self) -> Mailbox:
        """Where it tells its actor."""
        return self._mailbox

    def set_timer(self, key: Hashable, delay_ms: int, message: object) -> None:
        """Post ``message`` in ``delay_ms``, instead of whatever ``key`` was set to."""
        if self._mailbox.closed:
            return
        alarm = Alarm(key, message)
        replaced = self._alarms.get(key)
        try:  # by the alarm, not by the key: that is hashed here alone, on this actor's own turn
            self._timers.set(alarm, delay_ms, lambda: self._mailbox.post_slip(self, alarm))
            self._alarms[key] = alarm
        except BaseException:
            self._silence(alarm)
            raise
        if replaced is not None:
            self._silence(replaced)

    def cancel_timer(self, key: Hashable) -> None:
        """Forget ``key``, also if it has rung and its message waits."""
        alarm = self._alarms.pop(key, None)
        if alarm is not None:
            self._silence(alarm)

    def _silence(self, alarm: Alarm) -> None:
        alarm.counts = False
        self._timers.cancel(alarm)

    def peek(self, alarm: object, /) -> object:
        """Return what that alarm has to say, if it still counts."""
        return alarm.message if isinstance(alarm, Alarm) and alarm.counts else NOTHING

    def take(self, alarm: object, /) -> object:
        """Return what that alarm has to say, once."""
        if not isinstance(alarm, Alarm) or not alarm.counts:
            return NOTHING
        alarm.counts = False
        with suppress(BaseException):  # its key may have changed, or not be hashable any more
            if self._alarms.get(alarm.key) is alarm:
                del self._alarms[alarm.key]
        return alarm.message

    def watch(self, other: Mailbox, then: object) -> None:
        """Post ``then`` once the actor behind ``other`` has ended."""
        if self._mailbox.closed:
            return
        key = object()

        def ended() -> None:
            self._open.pop(key, None)
            self._mailbox.post_fact(then)

        self._open[key] = other.when_ended(ended)
        if other.ended:  # and so, perhaps, before it was noted here
            self._open.pop(key, None)

    def pipe(
        self,
        reply: Reply[Value],
        then: Callable[[Outcome[Value, AskFailure]], object],
        unmade: Callable[[object, str], object],
        timeout_s: float,
    ) -> None:
        """Post what ``then`` makes of the answer, or of there being none by the deadline."""
        if self._mailbox.closed:
            return
        key = object()
        pending = [then]

        def arrive(outcome: Outcome[Value, AskFailure]) -> None:
            try:
                make = pending.pop()
            except IndexError:  # answer and deadline race; one of them arrives
                return
            self._timers.cancel(key)
            self._open.pop(key, None)
            try:
                message = make(outcome)
            except BaseException as error:  # noqa: BLE001 - not the fault of whoever answered
                unmade(outcome, shown(error))
            else:
                self._mailbox.post_fact(message)

        def drop() -> None:
            pending.clear()
            self._timers.cancel(key)

        self._open[key] = drop
        late: Outcome[Value, AskFailure] = Failure(TimedOut(seconds=timeout_s))
        milliseconds = round(min(timeout_s, LONGEST_S) * 1_000)
        self._timers.set(key, milliseconds, lambda: arrive(late))
        reply.when_done(lambda: arrive(outcome_of(reply, 0)))

    def freeze(self) -> tuple[Alarm, ...]:
        """Return the alarms that count.

        Raises:
            TypeError: it awaits an answer or an end, which are calls that somebody else holds.

        """
        if self._open:
            msg = f"{self._mailbox.name} awaits an answer or an end: that cannot be put back later"
            raise TypeError(msg)
        return tuple(self._alarms.values())

    def thaw(self, alarms: tuple[Alarm, ...]) -> None:
        """Let exactly these count; their timers are put back with all others, in ``Timers``."""
        for alarm in self._alarms.values():
            alarm.counts = False
        for alarm in alarms:
            alarm.counts = True
        self._alarms = {alarm.key: alarm for alarm in alarms}

    def drop(self) -> None:
        """Expect nothing more: the actor has ended."""
        alarms, self._alarms = self._alarms, {}
        for alarm in alarms.values():
            self._silence(alarm)
        while self._open:
            with suppress(KeyError):  # it arrived a moment ago
                _, let_go = self._open.popitem()
                let_go()
