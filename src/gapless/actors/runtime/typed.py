"""Actors whose commands, queries and answers are types.

``TypedActor`` keeps its own attributes and, like pykka's, ends when a command's handler raises.
``StepActor`` holds one immutable state and computes the next one and what to send: both are
committed, or neither. So a fault loses nothing: the message is tried once more, before later
ones, and if it fails again it is parked as a dead letter and the actor goes on as it was.
"""

from __future__ import annotations

import logging
import math
from abc import abstractmethod
from collections.abc import Callable, Hashable
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Generic,
    NamedTuple,
    Never,
    TypeVar,
    assert_never,
    cast,
    final,
)

from gapless.actors.runtime.actor import DispatchedActor
from gapless.actors.runtime.agenda import Agenda, Alarm
from gapless.actors.runtime.letters import DeadLetter, Death
from gapless.actors.runtime.limits import called, shown
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.outcomes import TAKEN, AskFailure
from gapless.actors.runtime.queries import Answer, Asked, ForeignAnswerError, Query
from gapless.actors.runtime.refs import DEADLINE_S, Bound, Ref
from gapless.typings.outcome import Outcome

if TYPE_CHECKING:
    from gapless.actors.runtime.system import ActorSystem

Commands = TypeVar("Commands")
Queries = TypeVar("Queries")
State = TypeVar("State")
Value = TypeVar("Value")
Message = TypeVar("Message")
Asks = TypeVar("Asks")


class TypedActor(DispatchedActor, Generic[Commands, Queries], machinery=True):
    """An actor that takes ``Commands`` and answers ``Queries``; ``ActorSystem.spawn`` starts it."""

    facts: ClassVar[tuple[type, ...]] = ()
    """Commands that are never refused and never dropped, however many wait."""

    samples: ClassVar[tuple[type, ...]] = ()
    """Commands of which only the latest that waits is kept."""

    _bounds: ClassVar[dict[type, Bound]] = {}
    _system: ActorSystem | None = None
    _agenda: Agenda | None = None

    def __init_subclass__(cls, *, machinery: bool = False) -> None:
        super().__init_subclass__(machinery=machinery)
        if cls.stops_the_world:
            msg = f"{cls.__qualname__}.stops_the_world: that is for actors that pykka starts"
            raise TypeError(msg)
        facts = dict.fromkeys(cls.facts, Bound.FACT)
        cls._bounds = facts | dict.fromkeys(cls.samples, Bound.SAMPLE)

    @abstractmethod
    def on_tell(self, message: Commands, /) -> None:
        """Handle a command. What it sends is on its way at once; if it raises, the actor ends."""

    @abstractmethod
    def on_ask(self, query: Queries, /) -> Answer:
        """Answer a query with ``query.answer(value)``; if it raises, the asker is told."""

    @property
    def system(self) -> ActorSystem:
        """The system it was spawned in.

        Raises:
            RuntimeError: it has not been spawned.

        """
        if self._system is None:
            msg = (
                f"{called(self)} is not in a system yet: spawn it with ActorSystem.spawn, and set"
                " timers, watch and ask in on_start, not in __init__"
            )
            raise RuntimeError(msg)
        return self._system

    def join(self, system: ActorSystem) -> None:
        """Become an actor of ``system``, which calls this before the first turn."""
        self._system = system

    def refuse_names(self) -> None:
        """Refuse attributes of the runtime's names, two that are no methods among them."""
        super().refuse_names()
        for name in ("_agenda", "_system"):
            if getattr(self, name) is not None:
                self._refuse_name(name)

    def _start_actor_loop(self) -> None:
        if self._system is None:
            self._refuse_to_start(f"{self.label} is a typed actor: spawn it with ActorSystem.spawn")
        super()._start_actor_loop()

    @property
    def me(self) -> Ref[Commands, Queries]:
        """Where to send to this actor."""
        return Ref(self.mailbox, self._bounds)

    def set_timer(self, key: Hashable, delay_ms: int, message: Commands) -> None:
        """Tell myself ``message`` in ``delay_ms``, instead of whatever ``key`` was set to."""
        self._expecting().set_timer(key, delay_ms, message)

    def cancel_timer(self, key: Hashable) -> None:
        """Forget the timer ``key``; its message does not come, even if it waits already."""
        self._expecting().cancel_timer(key)

    def watch(self, other: Ref[Message, Asks], then: Commands) -> None:
        """Tell myself ``then`` once the other has stopped; at once if it has already."""
        self._expecting().watch(other.mailbox, then)

    def pipe_to_self(
        self,
        other: Ref[Message, Asks],
        query: Asked[Asks, Value],
        then: Callable[[Outcome[Value, AskFailure]], Commands],
        *,
        timeout_s: float = DEADLINE_S,
    ) -> None:
        """Ask another actor, and tell myself what it came to: a message, never a blocked thread.

        Raises:
            ValueError: the deadline is no number.

        """
        if math.isnan(timeout_s):
            msg = "a deadline is a number of seconds, and nan is none"
            raise ValueError(msg)
        publish = self._publisher()
        self._expecting().pipe(
            other.ask_later(query),
            then,
            lambda outcome, error: publish(outcome, Death.PARKED, error),
            timeout_s,
        )

    def _expecting(self) -> Agenda:
        """Return what it is to be told later, made with the first of it."""
        if self._agenda is None:
            self._agenda = Agenda(self.mailbox, self.system.timers)
        return self._agenda

    @final
    def on_receive(self, message: object) -> object:
        """Hand a message to the handler of its kind."""
        if isinstance(message, Query):
            answer = self.on_ask(cast("Queries", message))  # its Ref takes no other query
            if answer.query is not message:
                msg = f"{self.label} answered another {answer.query!r} than the one it was asked"
                raise ForeignAnswerError(msg)
            return answer.value
        self.on_tell(cast("Commands", message))  # its Ref takes no other command
        return None

    def take(self, message: object) -> None:
        """Handle a command; the one that ends this actor is a dead letter."""
        try:
            self.on_tell(cast("Commands", message))  # its Ref takes no other command
        except BaseException as failure:  # noqa: BLE001 - contained: one actor fails, no other
            self._publish(message, Death.FATAL, shown(failure))
            self._end_by_failure(failure)

    def undertaker(self) -> Callable[[object], object]:
        """Publish what was still waiting when this actor stopped, and what comes later."""
        publish = self._publisher()
        return lambda message: publish(message, Death.UNDELIVERED, "")

    def _publish(self, message: object, death: Death, error: str) -> None:
        self._publisher()(message, death, error)

    def _publisher(self) -> Callable[[object, Death, str], None]:
        """Return what publishes dead letters in this actor's name, without holding the actor."""
        label, letters = self.mailbox.name, self.system.dead_letters
        return lambda message, death, error: letters.publish(
            DeadLetter(actor=label, message=message, death=death, error=error)
        )

    def abandoned(self) -> None:
        """Take no more messages; unlike pykka's own, it is in no registry."""
        self.stop_flag.set()

    def ended(self) -> None:
        """Expect nothing more."""
        if self._agenda is not None:
            self._agenda.drop()


class CommandActor(TypedActor[Commands, Never]):
    """A typed actor that is asked nothing."""

    @final
    def on_ask(self, query: Never, /) -> Answer:
        """Never called: there is no query to ask."""
        assert_never(query)


class Outgoing(NamedTuple):
    """A message to be sent once the state it belongs to is committed.

    ``send`` says whether it was taken.
    """

    send: Callable[[], bool]
    message: object
    receiver: str


def to(ref: Ref[Message, Never], message: Message) -> Outgoing:
    """Return ``message`` on its way to ``ref``; if it is refused there, it is a dead letter."""
    return Outgoing(lambda: ref.tell(message) is TAKEN, message, ref.mailbox.name)


class Next(NamedTuple, Generic[State]):
    """The next state and what to send with it: wholly, or not at all."""

    state: State
    outbox: tuple[Outgoing, ...] = ()


class Committed(NamedTuple, Generic[State]):
    """All that a ``StepActor`` is between two messages, but for what waits in its mailbox."""

    state: State
    unsent: tuple[Outgoing, ...]
    alarms: tuple[Alarm, ...]


class StepActor(TypedActor[Commands, Queries], Generic[State, Commands, Queries], machinery=True):
    """An actor that is a pure step from one immutable state to the next."""

    def __init__(self, state: State) -> None:
        super().__init__()
        # One attribute, so that no interrupt falls between a state and what is to be sent with it.
        self._committed: tuple[State, list[Outgoing]] = (state, [])

    @property
    def state(self) -> State:
        """The state as last committed; any thread may read it."""
        return self._committed[0]

    def freeze(self) -> Committed[State]:
        """Return what it is, between two messages.

        Raises:
            TypeError: it awaits an answer or an end.

        """
        state, unsent = self._committed
        agenda = self._agenda
        alarms = () if agenda is None else agenda.freeze()
        return Committed(state, tuple(reversed(unsent)) if unsent else (), alarms)

    def thaw(self, committed: Committed[State]) -> None:
        """Be again what it was, between two messages; its mailbox and timers are put back apart."""
        self._committed = (committed.state, list(reversed(committed.unsent)))
        if self._agenda is not None:
            self._agenda.thaw(committed.alarms)

    def send_late(self) -> None:
        """Send what is committed and not sent, as it does before its next message."""
        self._flush(self._committed[1])

    @abstractmethod
    def step(self, state: State, message: Commands, /) -> Next[State]:
        """Return what comes of a command. It must not do anything itself."""

    def parked(self, state: State, message: Commands, error: BaseException, /) -> Next[State]:
        """Return what comes of a command that failed twice, say an answer that its sender awaits.

        By default nothing: it is a dead letter, and the state stays.
        """
        del message, error
        return Next(state)

    @final
    def on_tell(self, message: Commands, /) -> None:
        """Step, commit, send; on a fault once more, then park the message."""
        state, unsent = self._committed
        if unsent:
            self._flush(unsent)
        try:
            state, outbox = self.step(state, message)
            unsent = list(outbox) if outbox else []
        except BaseException:  # noqa: BLE001 - nothing has changed, so it may be tried once more
            logged("%s raised, and tries once more:", self.mailbox.name, level=logging.WARNING)
            state, unsent = self._step_again(message)
        if unsent:
            unsent.reverse()
            self._committed = (state, unsent)
            self._flush(unsent)
        else:
            self._committed = (state, unsent)

    def _step_again(self, message: Commands) -> tuple[State, list[Outgoing]]:
        state, _ = self._committed
        try:
            following, outbox = self.step(state, message)
            return following, list(outbox)
        except BaseException as again:  # noqa: BLE001 - parked, and the actor goes on
            return self._park(state, message, again)

    def _park(
        self, state: State, message: Commands, error: BaseException
    ) -> tuple[State, list[Outgoing]]:
        logged("%s raised again, and parks the message:", self.mailbox.name)
        self._publish(message, Death.PARKED, shown(error))
        try:
            following, outbox = self.parked(state, message, error)
            return following, list(outbox)
        except BaseException:  # noqa: BLE001 - then nothing comes of it, as by default
            logged("%s could not say what comes of a parked message:", self.mailbox.name)
            return state, []

    def _flush(self, unsent: list[Outgoing]) -> None:
        """Send what is committed. A send that raises is tried once more, then it is a dead letter.

        An interrupt of this thread in the middle ends the actor, and the rest are dead letters.
        """
        while unsent:
            outgoing = unsent[-1]
            try:
                taken = outgoing.send()
            except BaseException:  # noqa: BLE001 - a crash only delays the rest
                taken = self._send_again(outgoing)
            if not taken:
                self._publish(outgoing.message, Death.UNDELIVERED, f"to {outgoing.receiver}")
            unsent.pop()

    def _send_again(self, outgoing: Outgoing) -> bool:
        try:
            return outgoing.send()
        except BaseException:  # noqa: BLE001 - a dead letter, and the rest goes out
            logged("%s could not send to %s:", self.mailbox.name, outgoing.receiver)
            return False

    def ended(self) -> None:
        """Publish what was committed and not sent."""
        _, unsent = self._committed
        for outgoing in reversed(unsent):
            self._publish(outgoing.message, Death.UNDELIVERED, f"to {outgoing.receiver}")
        super().ended()
