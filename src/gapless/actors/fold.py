"""The whole fold as a pure function: owners and session without mailboxes.

The runtime puts the same steps into actors. Here each owner has a queue, and the messages of
one input go round until all are empty; which owner goes next is ``pick``'s choice, and by
the invariants it does not matter (a property test picks at random). Where the list says that an
owner lost an input, it has it here all the same, for it keeps what it lost until it has sent all it
has; what is not heard is what the owners say to that input.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import drain, lead, registry, roster, session
from gapless.actors.drain import DrainState
from gapless.actors.projection import project
from gapless.actors.registry import RegistryState
from gapless.actors.roster import RosterState
from gapless.actors.routing import parts_of
from gapless.actors.session import Begun, Skipped
from gapless.actors.state import SessionState
from gapless.actors.step import Send, ToDrain, ToLead, ToRegistry, ToRoster
from gapless.actors.turn import LeadState
from gapless.messages.answers import Answer
from gapless.messages.effects import Effect
from gapless.messages.inputs import Input, ResyncAsked
from gapless.messages.moment import Hop
from gapless.messages.recorded import Recorded
from gapless.messages.session import Facts, Lost, Said
from gapless.typings.ids import OWNERS, OwnerName
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.view import SessionView


@final
class Whole(Struct, frozen=True, kw_only=True):
    """The states of a session and its four owners, after one prefix of the list.

    ``unheard`` are the owners that said something in vain since the last resync.
    """

    session: SessionState = SessionState()
    lead: LeadState = LeadState()
    roster: RosterState = RosterState()
    registry: RegistryState = RegistryState()
    drain: DrainState = DrainState()
    unheard: frozenset[OwnerName] = frozenset()


class Advanced(NamedTuple):
    """One input further: the view to publish, then effects, answers, and inputs to come."""

    whole: Whole
    view: SessionView
    effects: tuple[Effect, ...]
    answers: tuple[Answer, ...]
    wants: tuple[Input, ...]


Pick: TypeAlias = Callable[[tuple[OwnerName, ...]], OwnerName]
"""Choose which of these owners takes its next message."""


def pick_first(owners: tuple[OwnerName, ...]) -> OwnerName:
    """Let the first one go on."""
    return owners[0]


def advance(
    whole: Whole, row: Recorded, settings: Settings = DEFAULTS, pick: Pick = pick_first
) -> Advanced:
    """Take the next input of the list."""
    failed = row.void and bool(row.lost)  # not on taking it, but on folding what was said
    looked_at = msgspec.structs.replace(row, void=False) if failed else row
    begun = session.begin(whole.session, looked_at, settings)
    match begun:
        case Skipped():
            done = session.skip(begun, row, settings)
            whole = msgspec.structs.replace(whole, session=done.state)
            return Advanced(whole, done.view, (), done.answers, done.wants)
        case Begun():
            whole, said = _deliver(whole, begun, row, settings, pick)
            whole, said = _heard(whole, begun, row, said, settings)
            if failed:
                done = session.abandon(begun, row, settings)
            else:
                done = session.conclude(begun, row, said, settings)
            whole = msgspec.structs.replace(whole, session=done.state)
            return Advanced(whole, done.view, done.effects, done.answers, done.wants)
        case _:
            assert_never(begun)


def fold(rows: Iterable[Recorded], settings: Settings = DEFAULTS) -> SessionView:
    """Return the view of a list of inputs."""
    whole = Whole()
    view = project(whole.session, settings)
    for row in rows:
        whole, view, *_ = advance(whole, row, settings)
    return view


def _heard(
    whole: Whole, begun: Begun, row: Recorded, said: tuple[Said, ...], settings: Settings
) -> tuple[Whole, tuple[Said, ...]]:
    """Return what the session heard of this: nothing, if it is torn; all, if it is a resync.

    What was sent on in a torn input is sent on again in the resync, and each who is sent something
    then says all it has. Here it was taken the first time, so they are asked.
    """
    if row.lost:
        unheard = whole.unheard.union(it.answers.to for it in said)
        lost = tuple(_lost(row, owner, begun) for owner in row.lost)
        return msgspec.structs.replace(whole, unheard=unheard), lost
    if not isinstance(row.what, ResyncAsked) or not whole.unheard:
        return whole, said
    asked = [it for it in parts_of(row.what, begun.moment) if _owner(it) in whole.unheard]
    everything = tuple(_step(whole, part, settings).facts for part in asked)
    return msgspec.structs.replace(whole, unheard=frozenset()), everything


def _lost(row: Recorded, owner: OwnerName, begun: Begun) -> Lost:
    return Lost(number=row.number, answers=Hop(sender=None, to=owner), by=begun.moment.by)


class _Delivered(NamedTuple):
    whole: Whole
    said: tuple[Said, ...]


def _deliver(
    whole: Whole, begun: Begun, row: Recorded, settings: Settings, pick: Pick
) -> _Delivered:
    queues: dict[OwnerName, deque[Send]] = {}
    said: list[Said] = []
    sends = begun.sends
    while True:
        for send in sends:
            queues.setdefault(_owner(send), deque()).append(send)
        waiting: tuple[OwnerName, ...] = tuple(it for it in OWNERS if queues.get(it))
        if not waiting:
            return _Delivered(whole, tuple(said))
        send = queues[pick(waiting)].popleft()
        try:
            whole, facts, sends = _step(whole, send, settings)
        except Exception:
            if _owner(send) not in row.lost:
                raise
            sends = ()  # it fails here as it did there, where it was given up
        else:
            said.append(facts)


class _Stepped(NamedTuple):
    whole: Whole
    facts: Facts
    sends: tuple[Send, ...]


def _step(whole: Whole, send: Send, settings: Settings) -> _Stepped:
    match send:
        case ToLead(message=to_lead):
            led, facts, sends = lead.step(whole.lead, to_lead, settings)
            whole = msgspec.structs.replace(whole, lead=led)
        case ToRoster(message=to_roster):
            kept, facts, sends = roster.step(whole.roster, to_roster, settings)
            whole = msgspec.structs.replace(whole, roster=kept)
        case ToRegistry(message=to_registry):
            held, facts, sends = registry.step(whole.registry, to_registry, settings)
            whole = msgspec.structs.replace(whole, registry=held)
        case ToDrain(message=to_drain):
            drained, facts, sends = drain.step(whole.drain, to_drain, settings)
            whole = msgspec.structs.replace(whole, drain=drained)
        case _:
            assert_never(send)
    return _Stepped(whole, facts, sends)


def _owner(send: Send) -> OwnerName:
    match send:
        case ToLead():
            return "lead"
        case ToRoster():
            return "roster"
        case ToRegistry():
            return "registry"
        case ToDrain():
            return "drain"
        case _:
            assert_never(send)
