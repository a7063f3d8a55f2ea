"""The whole fold as a pure function: owners and session without mailboxes.

The runtime puts the same steps into actors. Here each owner has a queue, and the messages of
one input go round until all are empty; which owner goes next is ``pick``'s choice, and by
the invariants it does not matter (a property test picks at random). A part that the list says
was lost is not delivered, and an owner that is left waiting for one counts as lost too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import drain, lead, registry, roster, session
from gapless.actors.drain import DrainState
from gapless.actors.lead import LeadState
from gapless.actors.projection import project
from gapless.actors.registry import RegistryState
from gapless.actors.roster import RosterState
from gapless.actors.session import Begun, Skipped
from gapless.actors.state import SessionState
from gapless.actors.step import Send, ToDrain, ToLead, ToRegistry, ToRoster
from gapless.messages.answers import Answer
from gapless.messages.effects import Effect
from gapless.messages.inputs import Input
from gapless.messages.recorded import Recorded
from gapless.messages.session import Lost, SessionMessage
from gapless.typings.ids import OWNERS, OwnerName
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.view import SessionView


@final
class Whole(Struct, frozen=True, kw_only=True):
    """The states of a session and its four owners, after one prefix of the list."""

    session: SessionState = SessionState()
    lead: LeadState = LeadState()
    roster: RosterState = RosterState()
    registry: RegistryState = RegistryState()
    drain: DrainState = DrainState()


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
    begun = session.begin(whole.session, row, settings)
    match begun:
        case Skipped():
            done = session.skip(begun, settings)
            whole = msgspec.structs.replace(whole, session=done.state)
            return Advanced(whole, done.view, (), done.answers, done.wants)
        case Begun():
            whole, said, effects = _deliver(whole, begun, row, settings, pick)
            done = session.conclude(begun, row, said, settings)
            whole = msgspec.structs.replace(whole, session=done.state)
            return Advanced(whole, done.view, effects, done.answers, done.wants)
        case _:
            assert_never(begun)


def fold(rows: Iterable[Recorded], settings: Settings = DEFAULTS) -> SessionView:
    """Return the view of a list of inputs."""
    whole = Whole()
    view = project(whole.session, settings)
    for row in rows:
        whole, view, *_ = advance(whole, row, settings)
    return view


class _Delivered(NamedTuple):
    whole: Whole
    said: tuple[SessionMessage, ...]
    effects: tuple[Effect, ...]


def _deliver(
    whole: Whole, begun: Begun, row: Recorded, settings: Settings, pick: Pick
) -> _Delivered:
    queues: dict[OwnerName, deque[Send]] = {}
    said: list[SessionMessage] = []
    effects: list[Effect] = []
    lost: set[OwnerName] = set()
    sends = begun.sends
    while True:
        for send in sends:
            if _owner(send) in row.lost:
                lost.add(_owner(send))
            else:
                queues.setdefault(_owner(send), deque()).append(send)
        waiting: tuple[OwnerName, ...] = tuple(it for it in OWNERS if queues.get(it))
        if not waiting:
            break
        whole, facts, sends, done = _step(whole, queues[pick(waiting)].popleft(), settings)
        said.extend(() if facts is None else (facts,))
        effects.extend(done)
    lost.update(_waiting(whole))
    said.extend(
        Lost(number=row.number, owner=owner, by=begun.moment.by)
        for owner in OWNERS
        if owner in lost
    )
    return _Delivered(whole, tuple(said), tuple(effects))


class _Stepped(NamedTuple):
    whole: Whole
    facts: SessionMessage | None
    sends: tuple[Send, ...]
    effects: tuple[Effect, ...]


def _step(whole: Whole, send: Send, settings: Settings) -> _Stepped:
    match send:
        case ToLead(message=to_lead):
            led, facts, sends, effects = lead.step(whole.lead, to_lead, settings)
            whole = msgspec.structs.replace(whole, lead=led)
        case ToRoster(message=to_roster):
            kept, facts, sends, effects = roster.step(whole.roster, to_roster, settings)
            whole = msgspec.structs.replace(whole, roster=kept)
        case ToRegistry(message=to_registry):
            held, facts, sends, effects = registry.step(whole.registry, to_registry, settings)
            whole = msgspec.structs.replace(whole, registry=held)
        case ToDrain(message=to_drain):
            drained, facts, sends, effects = drain.step(whole.drain, to_drain, settings)
            whole = msgspec.structs.replace(whole, drain=drained)
        case _:
            assert_never(send)
    return _Stepped(whole, facts, sends, effects)


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


def _waiting(whole: Whole) -> set[OwnerName]:
    waiting: set[OwnerName] = set()
    if whole.roster.waiting is not None:
        waiting.add("roster")
    if whole.registry.waiting is not None:
        waiting.add("registry")
    return waiting
