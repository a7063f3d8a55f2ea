"""Actors whose commands, queries and answers are types.

``TypedActor`` keeps its own attributes and, like pykka's, ends when a command's handler raises.
``StepActor`` holds one immutable state and computes the next one and what to send: both are
committed, or neither. So a fault loses nothing: the message is tried once more, before later
ones, and if it fails again it is parked as a dead letter and the actor goes on as it was.
"""

from __future__ import annotations

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
from gapless.actors.runtime.letters import DeadLetter, Death
from gapless.actors.runtime.limits import LONGEST_S, shown
from gapless.actors.runtime.outcomes import TAKEN, AskFailure, TimedOut
from gapless.actors.runtime.queries import Answer, Asked, ForeignAnswerError, Query
from gapless.actors.runtime.refs import DEADLINE_S, Bound, Ref, outcome_of
from gapless.typings.outcome import Failure, Outcome

if TYPE_CHECKING:
    from gapless.actors.runtime.system import ActorSystem

Commands = TypeVar("Commands")
Queries = TypeVar("Queries")
State = TypeVar("State")
Value = TypeVar("Value")
Message = TypeVar("Message")
Asks = TypeVar("Asks")


class TypedActor(DispatchedActor, Generic[Commands, Queries]):
    """An actor that takes ``Commands`` and answers ``Queries``; ``ActorSystem.spawn`` starts it."""

    facts: ClassVar[tuple[type, ...]] = ()
    """Commands that are never refused and never dropped, however many wait."""

    samples: ClassVar[tuple[type, ...]] = ()
    """Commands of which only the latest that waits is kept."""

    _bounds: ClassVar[dict[type, Bound]] = {}
    _system: ActorSystem | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
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
        """The system it was spawned in."""
        assert self._system is not None, "spawn typed actors with ActorSystem.spawn"  # noqa: S101
        return self._system

    def join(self, system: ActorSystem) -> None:
        """Become an actor of ``system``, which calls this before the first turn."""
        self._system = system

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
        self.system.timers.set(
            (self.actor_urn, key), delay_ms, lambda: self.mailbox.post_fact(message)
        )

    def cancel_timer(self, key: Hashable) -> None:
        """Forget the timer ``key``."""
        self.system.timers.cancel((self.actor_urn, key))

    def watch(self, other: Ref[Message, Asks], then: Commands) -> None:
        """Tell myself ``then`` once the other has stopped; at once if it has already."""
        self.system.when_ended(other.mailbox, lambda: self.mailbox.post_fact(then))

    def pipe_to_self(
        self,
        other: Ref[Message, Asks],
        query: Asked[Asks, Value],
        then: Callable[[Outcome[Value, AskFailure]], Commands],
        *,
        timeout_s: float = DEADLINE_S,
    ) -> None:
        """Ask another actor, and tell myself what it came to: a message, never a blocked thread."""
        reply = other.ask_later(query)
        deadline = object()
        pending = [then]

        def arrive(outcome: Outcome[Value, AskFailure]) -> None:
            try:
                make = pending.pop()
            except IndexError:  # answer and deadline race; one of them arrives
                return
            self.system.timers.cancel(deadline)
            try:
                message = make(outcome)
            except BaseException as error:  # noqa: BLE001 - not the fault of whoever answered
                self._publish(outcome, Death.PARKED, shown(error))
            else:
                self.mailbox.post_fact(message)

        late = Failure(TimedOut(seconds=timeout_s))
        self.system.timers.set(
            deadline, round(min(timeout_s, LONGEST_S) * 1_000), lambda: arrive(late)
        )
        reply.when_done(lambda: arrive(outcome_of(reply, 0)))

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
        label, letters = self.label, self.system.dead_letters
        return lambda message: letters.publish(
            DeadLetter(actor=label, message=message, death=Death.UNDELIVERED)
        )

    def _publish(self, message: object, death: Death, error: str) -> None:
        letter = DeadLetter(actor=self.label, message=message, death=death, error=error)
        self.system.dead_letters.publish(letter)

    def ended(self) -> None:
        """Tell those who watch."""
        self.system.forget(self)


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


class StepActor(TypedActor[Commands, Queries], Generic[State, Commands, Queries]):
    """An actor that is a pure step from one immutable state to the next."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state
        self._outbox: list[Outgoing] = []

    @property
    def state(self) -> State:
        """The state as last committed; any thread may read it."""
        return self._state

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
        if self._outbox:
            self._flush()
        try:
            state, outbox = self.step(self._state, message)
        except BaseException:  # noqa: BLE001 - nothing has changed, so it may be tried once more
            try:
                state, outbox = self.step(self._state, message)
            except BaseException as again:  # noqa: BLE001 - parked, and the actor goes on
                state, outbox = self._park(message, again)
        self._state = state
        if outbox:
            self._outbox.extend(outbox)
            self._flush()

    def _park(self, message: Commands, error: BaseException) -> Next[State]:
        self._publish(message, Death.PARKED, shown(error))
        try:
            return self.parked(self._state, message, error)
        except BaseException:  # noqa: BLE001 - then nothing comes of it, as by default
            return Next(self._state)

    def _flush(self) -> None:
        """Send what is committed. A send that raises is tried once more, then it is a dead letter.

        Interrupting this thread in the middle ends the actor, and the rest with it.
        """
        while self._outbox:
            outgoing = self._outbox[0]
            try:
                taken = outgoing.send()
            except BaseException:  # noqa: BLE001 - a crash only delays the rest
                taken = self._send_again(outgoing)
            if not taken:
                self._publish(outgoing.message, Death.UNDELIVERED, f"to {outgoing.receiver}")
            del self._outbox[0]

    def _send_again(self, outgoing: Outgoing) -> bool:
        try:
            return outgoing.send()
        except BaseException:  # noqa: BLE001 - a dead letter, and the rest goes out
            return False
