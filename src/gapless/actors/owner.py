"""What the four owners have in common: each message once, in order, and nothing lost to a fault.

An owner remembers, for the last input it had a message of, which ways were taken and what was sent
on. So a message that comes twice is ignored, and one of an input that is past too: whoever hands
something over keeps it until it is confirmed.

A message that failed twice is parked, and the session told that it was lost. From then on the
owner is behind: what comes later is parked behind it, for an owner takes its messages in order. In
the resync it catches up, sends again whatever it sent for the last input, if that is in doubt, and
answers with all it has; so does whoever is sent something again, for what it said is lost too. Why
again: it may have been sent so late that what came of it was not heard. All this is done under the
resync's number, resting on the evidence of the input that was lost; where several were, on that
of the last of them.

A message that fails in ``MOST_TRIES`` resyncs is given up. Then the owner says for ever, or until
another conversation begins, that it does not know all it should: the doubt stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Generic, NamedTuple, Never, TypeAlias, TypeVar, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors.runtime import Answer, Next, Outgoing, Ref, StepActor, to
from gapless.actors.step import Send, Step, ToDrain, ToLead, ToRegistry, ToRoster
from gapless.messages.drain import DrainMessage, DrainPart
from gapless.messages.effects import Effect
from gapless.messages.inputs import ResyncAsked
from gapless.messages.lead import LeadMessage, LeadPart
from gapless.messages.moment import Hop, Moment
from gapless.messages.registry import RegistryMessage, RegistryPart
from gapless.messages.roster import RosterMessage, RosterPart
from gapless.messages.session import Facts, Lost, SessionMessage
from gapless.typings.ids import NO_INPUT, InputNumber

State = TypeVar("State")

OwnerMessage: TypeAlias = LeadMessage | RosterMessage | RegistryMessage | DrainMessage
Message = TypeVar("Message", bound=OwnerMessage)


@final
class Wiring:
    """Where those of one session find each other; complete before the first message is sent."""

    session: Ref[SessionMessage, Never]
    lead: Ref[LeadMessage, Never]
    roster: Ref[RosterMessage, Never]
    registry: Ref[RegistryMessage, Never]
    drain: Ref[DrainMessage, Never]

    def outgoing(self, send: Send) -> Outgoing:
        """Return a message on its way to its owner."""
        match send:
            case ToLead(message=to_lead):
                return to(self.lead, to_lead)
            case ToRoster(message=to_roster):
                return to(self.roster, to_roster)
            case ToRegistry(message=to_registry):
                return to(self.registry, to_registry)
            case ToDrain(message=to_drain):
                return to(self.drain, to_drain)
            case _:
                assert_never(send)


class Done(NamedTuple):
    """What one message led to."""

    sends: tuple[Send, ...]
    effects: tuple[Effect, ...]


MOST_TRIES: Final = 4
"""In how many resyncs a message may fail until it is given up."""


@final
class Kept(Struct, Generic[State, Message], frozen=True, kw_only=True):
    """An owner as it stands, and what it did for the last input it had a message of.

    ``parked`` is what it has still to take, ``tries`` how many resyncs failed on the first of
    that; ``resynced`` the last resync it was asked for, ``gave_up`` that a message was given up.
    """

    state: State
    input: InputNumber = NO_INPUT
    done: Mapping[Hop, Done] = {}
    parked: tuple[Message, ...] = ()
    tries: int = 0
    resynced: InputNumber = NO_INPUT
    gave_up: bool = False


class Owner(StepActor[Kept[State, Message], Message, Never], Generic[State, Message]):
    """An owner of facts: a pure step, in a mailbox."""

    def __init__(
        self,
        wiring: Wiring,
        state: State,
        advance: Callable[[State, Message], Step[State]],
        resync: Callable[[Moment], Message],
    ) -> None:
        super().__init__(Kept(state=state))
        self._wiring = wiring
        self._advance = advance
        self._resync_of = resync

    @final
    def on_ask(self, query: Never, /) -> Answer:
        """Never called: owners are asked nothing, they say what they know."""
        assert_never(query)

    @final
    def step(self, state: Kept[State, Message], message: Message, /) -> Next[Kept[State, Message]]:
        """Take one message, once."""
        moment = message.moment
        if _is_resync(message):
            return self._resync(state, message)
        if moment.again_in is not None:
            return self._again(state, message)
        if moment.by.number < state.input:
            return Next(state)
        if state.parked:
            kept = msgspec.structs.replace(state, parked=(*state.parked, message))
            return Next(kept, (self._lost(message),))
        kept, done, facts = self._take(state, message)
        if facts is None:
            return Next(state)
        return Next(kept, self._outbox(facts, done.sends))

    @final
    def parked(
        self, state: Kept[State, Message], message: Message, error: BaseException, /
    ) -> Next[Kept[State, Message]]:
        """Keep what failed twice until the resync, and tell the session that it is lost."""
        del error  # it is in the log, and in the dead letter
        if not _is_resync(message):
            if message.moment.by.number < state.input:
                return Next(state)
            kept = msgspec.structs.replace(state, parked=(*state.parked, message))
            return Next(kept, (self._lost(message),))
        kept = msgspec.structs.replace(state, tries=state.tries + 1, resynced=message.moment.number)
        if kept.tries >= MOST_TRIES:
            kept = msgspec.structs.replace(kept, parked=kept.parked[1:], tries=0, gave_up=True)
        return Next(kept, (self._lost(message),))

    def _take(
        self, kept: Kept[State, Message], message: Message
    ) -> tuple[Kept[State, Message], Done, Facts | None]:
        """Take a message, or say what was done for it (``None``: it was taken before)."""
        moment = message.moment
        kept = _of_input(kept, moment.by.number)
        done = kept.done.get(message.hop)
        if done is not None:
            return kept, done, None
        after, facts, sends = self._advance(kept.state, message)
        done = Done(sends, facts.effects)
        kept = msgspec.structs.replace(
            kept,
            state=after,
            done={**kept.done, message.hop: done},
            gave_up=kept.gave_up and not moment.new_epoch,
        )
        return kept, done, facts

    def _resync(self, state: Kept[State, Message], message: Message) -> Next[Kept[State, Message]]:
        """Catch up, and send again whatever was sent for the last input."""
        number = message.moment.number
        if number <= max(state.input, state.resynced):
            return Next(state)  # it was asked before
        kept = msgspec.structs.replace(self._caught_up(state, number), resynced=number)
        doubted = kept.done.values() if kept.input > message.moment.folded else ()
        sends = tuple(send for done in doubted for send in done.sends)
        effects = tuple(effect for done in doubted for effect in done.effects)
        return self._all(kept, message, Done(sends, effects))

    def _again(self, state: Kept[State, Message], message: Message) -> Next[Kept[State, Message]]:
        """Take what is sent again in a resync, or say again what was done for it.

        Also what is of an input that is past: its sender had no part in any since, and it
        has to be answered, though nothing more is to be done for it.
        """
        kept = self._caught_up(state, message.moment.number)
        if message.moment.by.number < kept.input:
            return self._all(kept, message, Done((), ()))
        kept, done, _ = self._take(kept, message)
        return self._all(kept, message, done)

    def _caught_up(self, kept: Kept[State, Message], number: InputNumber) -> Kept[State, Message]:
        """Take what was parked, in order."""
        for parked in kept.parked:
            if parked.moment.by.number >= kept.input:
                kept, _, _ = self._take(kept, _in(parked, number))
        return msgspec.structs.replace(kept, parked=(), tries=0) if kept.parked else kept

    def _all(
        self, kept: Kept[State, Message], message: Message, done: Done
    ) -> Next[Kept[State, Message]]:
        """Answer with all there is, sending again what was sent."""
        if kept.gave_up:
            return Next(kept, (self._lost(message),))
        moment = message.moment
        asked = self._resync_of(msgspec.structs.replace(moment, new_epoch=False))
        sends = tuple(_again(send, moment.number) for send in done.sends)
        facts = msgspec.structs.replace(
            self._advance(kept.state, asked).facts,
            answers=message.hop,
            passed=tuple(send.message.hop for send in sends),
            effects=done.effects,
        )
        return Next(kept, self._outbox(facts, sends))

    def _lost(self, message: Message) -> Outgoing:
        moment = message.moment
        lost = Lost(number=moment.number, answers=message.hop, by=moment.by)
        return to(self._wiring.session, lost)

    def _outbox(self, facts: Facts, sends: tuple[Send, ...]) -> tuple[Outgoing, ...]:
        return (to(self._wiring.session, facts), *map(self._wiring.outgoing, sends))


def _is_resync(message: OwnerMessage) -> bool:
    """Whether an owner is asked for all it has."""
    match message:
        case LeadPart(what=what) | RosterPart(what=what) | RegistryPart(what=what):
            return isinstance(what, ResyncAsked)
        case DrainPart(what=what):
            return isinstance(what, ResyncAsked)
        case _:
            return False


def _of_input(kept: Kept[State, Message], number: InputNumber) -> Kept[State, Message]:
    """Forget what was done for an earlier input."""
    if number == kept.input:
        return kept
    return msgspec.structs.replace(kept, input=number, done={})


def _again(send: Send, number: InputNumber) -> Send:
    match send:
        case ToLead(message=to_lead):
            return ToLead(_in(to_lead, number))
        case ToRoster(message=to_roster):
            return ToRoster(_in(to_roster, number))
        case ToRegistry(message=to_registry):
            return ToRegistry(_in(to_registry, number))
        case ToDrain(message=to_drain):
            return ToDrain(_in(to_drain, number))
        case _:
            assert_never(send)


def _in(message: Message, number: InputNumber) -> Message:
    """Let a message travel in another input, resting on what it rested on."""
    moment = msgspec.structs.replace(message.moment, again_in=number)
    return msgspec.structs.replace(message, moment=moment)
