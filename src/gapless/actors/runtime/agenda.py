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
from typing import NamedTuple, TypeVar, final

from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.limits import LONGEST_S, shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.runtime.outcomes import AskFailure, TimedOut
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.slips import NOTHING
from gapless.actors.runtime.timers import Timers
from gapless.typings.outcome import Failure, Outcome

Value = TypeVar("Value")


class Alarm(NamedTuple):
    """A message for when a timer fires. Which one counts is a matter of identity, not of value."""

    key: Hashable
    message: object


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
        alarm = self._alarms[key] = Alarm(key, message)
        self._timers.set((self, key), delay_ms, lambda: self._mailbox.post_slip(self, alarm))

    def cancel_timer(self, key: Hashable) -> None:
        """Forget ``key``, also if it has rung and its message waits."""
        self._alarms.pop(key, None)
        self._timers.cancel((self, key))

    def peek(self, alarm: object, /) -> object:
        """Return what that alarm has to say, if it still counts."""
        if isinstance(alarm, Alarm) and self._alarms.get(alarm.key) is alarm:
            return alarm.message
        return NOTHING

    def take(self, alarm: object, /) -> object:
        """Return what that alarm has to say, once."""
        message = self.peek(alarm)
        if isinstance(alarm, Alarm) and message is not NOTHING:
            del self._alarms[alarm.key]
        return message

    def watch(self, other: Mailbox, then: object) -> None:
        """Post ``then`` once the actor behind ``other`` has ended."""
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
        self._alarms = {alarm.key: alarm for alarm in alarms}

    def drop(self) -> None:
        """Expect nothing more: the actor has ended."""
        while self._alarms:
            self.cancel_timer(next(iter(self._alarms)))
        while self._open:
            with suppress(KeyError):  # it arrived a moment ago
                _, let_go = self._open.popitem()
                let_go()
