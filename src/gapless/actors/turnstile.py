"""One input at a time: what the session's actor does with what it is told, as a pure step.

An input gets its number when its turn comes. Its parts go out, and every message that was sent
for it, by whomever, is answered by facts, which name the messages sent on. The input is over when
each of these ways (``Hop``) is answered: then the facts are folded, the view is published, the
effects are released, the caller is answered, and only then the next input has its turn.

What can go wrong, and the rule against it:

* an owner loses a message (``Lost``) or is silent for ``part_timeout_ms``: the input is torn, see
  ``session``. Its caller waits for the resync, for what it asked for comes with that;
* facts come late or twice: they carry a number and a way, and are ignored;
* the session itself fails, twice: on taking an input, then that is void in the list; on facts, then
  these count as lost; on folding what is left, then the input is void and everything in doubt;
* an effect is done and its outcome is lost: it is released again, and whoever does it does nothing
  twice.

A host's call is refused while very many inputs wait; what is only told is always taken, for it
may be an end that nobody says again.

Refused: to number an input when it arrives. What the session itself wants (the next round of
a close question, a resync) has to come before what waits.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

import msgspec

from gapless.actors.flight import At, Flight, Turned, Turnstile
from gapless.actors.landing import land, replies_to, watch_effects
from gapless.actors.outs import Announce, CancelTimer, Release, SendPart, StartTimer, Timer
from gapless.actors.projection import project
from gapless.actors.session import Begun, Skipped, abandon, begin, conclude, skip
from gapless.actors.state import SessionState
from gapless.messages.answers import Busy, Fault
from gapless.messages.inputs import TimerFired
from gapless.messages.recorded import Recorded
from gapless.messages.session import (
    AlarmRang,
    AskStands,
    EffectsOverdue,
    Facts,
    GoOn,
    Lost,
    PartOverdue,
    Said,
    SessionMessage,
    Take,
)
from gapless.typings.edges import Edge, EdgeKind
from gapless.typings.evidence import Source
from gapless.typings.ids import OWNERS, InputNumber, OwnerName
from gapless.typings.outcome import Failure
from gapless.typings.settings import Settings
from gapless.typings.states import Waiting


def opened(settings: Settings) -> Turnstile:
    """Return a session of which nothing is known."""
    session = SessionState()
    return Turnstile(session=session, view=project(session, settings))


def step(state: Turnstile, message: SessionMessage, at: At) -> Turned:
    """Take one message."""
    match message:
        case Take():
            if _refuses(state, message, at):
                return Turned(state, replies_to(message.caller, _busy(state)))
            return _go_on(_queue(state, message), at)
        case GoOn():
            return _go_on(state, at)
        case Facts() | Lost():
            return _hear(state, message, at)
        case PartOverdue(number=number):
            return _give_up(state, number, at)
        case AlarmRang(due_ms=due_ms):
            return _ring(state, due_ms, at)
        case AskStands(upto=upto):
            waits = isinstance(state.view.state, Waiting)
            edge = Edge(kind=EdgeKind.WAITING, upto=upto)
            return Turned(state, (Announce(edge),) if waits else ())
        case EffectsOverdue():
            again = tuple(Release(effect) for effect in state.released.values())
            return Turned(state, (*again, *watch_effects(state, at)))
        case _:
            assert_never(message)


def fail(state: Turnstile, message: SessionMessage, reason: str, at: At) -> Turned:
    """Say what comes of a message that ``step`` failed on, twice."""
    fault = Failure(Fault(reason=reason))
    match message:
        case Take():
            if state.flight is not None or state.line:
                return Turned(_queue(state, message))  # it has not had its turn yet
            return _void(_queue(state, message), fault, at)
        case GoOn():
            return _void(state, fault, at)
        case Facts(number=number, answers=hop):
            flight = state.flying(number)
            if flight is None:
                return Turned(state)
            lost = Lost(number=number, answers=hop, by=flight.begun.moment.by)
            return _hear(state, lost, at)
        case PartOverdue(number=number):
            flight = state.flying(number)
            return Turned(state) if flight is None else _abandon(state, flight, fault, at)
        case Lost():
            return Turned(state)  # it will be overdue
        case AlarmRang():
            return _later(state, "alarm", message, at)
        case AskStands():
            return _later(state, "ask", message, at)
        case EffectsOverdue():
            return _later(state, "effects", message, at)
        case _:
            assert_never(message)


def _later(state: Turnstile, timer: Timer, message: SessionMessage, at: At) -> Turned:
    return Turned(state, (StartTimer(timer, at.settings.part_timeout_ms, message),))


def _refuses(state: Turnstile, take: Take, at: At) -> bool:
    """Whether this is a call of the host, who can wait and call again, and too many wait."""
    calls = take.caller is not None and take.source is Source.HOST
    return calls and state.line.length >= at.settings.most_waiting


def _busy(state: Turnstile) -> Failure[Busy]:
    return Failure(Busy(waiting=state.line.length))


def _queue(state: Turnstile, take: Take) -> Turnstile:
    return msgspec.structs.replace(state, line=state.line.put(take))


def _go_on(state: Turnstile, at: At) -> Turned:
    """Begin the next input, if none is being worked on."""
    following = _next(state, at)
    if following is None:
        return Turned(state)
    state, take, row = following
    begun = begin(state.session, row, at.settings)
    match begun:
        case Skipped():
            return land(state, row, take.caller, skip(begun, row, at.settings), at)
        case Begun(sends=sends):
            if not sends:
                concluded = conclude(begun, row, (), at.settings)
                return land(state, row, take.caller, concluded, at)
            sent = frozenset(send.message.hop for send in sends)
            flight = Flight(row=row, begun=begun, caller=take.caller, sent=sent)
            parts = tuple(SendPart(send) for send in sends)
            state = msgspec.structs.replace(state, flight=flight)
            overdue = PartOverdue(number=row.number)
            watch = StartTimer("parts", at.settings.part_timeout_ms, overdue)
            return Turned(state, (watch, *parts))
        case _:
            assert_never(begun)


class _Next(NamedTuple):
    """The input whose turn it is, with its number, and the session without it in the line."""

    state: Turnstile
    take: Take
    row: Recorded


def _next(state: Turnstile, at: At) -> _Next | None:
    if state.flight is not None or not state.line:
        return None
    take, line = state.line.take()
    row = Recorded(
        number=InputNumber(state.session.upto + 1),
        at_ms=at.now_ms,
        source=take.source,
        what=take.what,
        provenance=take.provenance,
    )
    return _Next(msgspec.structs.replace(state, line=line), take, row)


def _void(state: Turnstile, fault: Failure[Fault], at: At) -> Turned:
    """Void the next input: the session failed on it."""
    following = _next(state, at)
    if following is None:
        return Turned(state)
    state, take, row = following
    row = msgspec.structs.replace(row, void=True)
    begun = begin(state.session, row, at.settings)
    assert isinstance(begun, Skipped)  # noqa: S101 - begin says so of void rows
    turned = land(state, row, None, skip(begun, row, at.settings), at)
    return Turned(turned.state, (*turned.outs, *replies_to(take.caller, fault)))


def _hear(state: Turnstile, said: Said, at: At) -> Turned:
    """Note what an owner says, and conclude the input once every way is answered."""
    flight = state.flying(said.number)
    if flight is None or said.answers in flight.said:
        return Turned(state)
    passed = said.passed if isinstance(said, Facts) else ()
    heard = {**flight.said, said.answers: said}
    ordered = {hop: heard[hop] for hop in sorted(heard, key=lambda hop: hop.place)}
    flight = msgspec.structs.replace(flight, sent=flight.sent.union(passed), said=ordered)
    state = msgspec.structs.replace(state, flight=flight)
    return Turned(state) if flight.silent else _conclude(state, flight, at)


def _give_up(state: Turnstile, number: InputNumber, at: At) -> Turned:
    """Count as lost what was not answered in time."""
    flight = state.flying(number)
    if flight is None:
        return Turned(state)
    by = flight.begun.moment.by
    silent = {hop: Lost(number=number, answers=hop, by=by) for hop in flight.silent}
    flight = msgspec.structs.replace(flight, said={**flight.said, **silent})
    return _conclude(state, flight, at)


def _conclude(state: Turnstile, flight: Flight, at: At) -> Turned:
    said = tuple(flight.said.values())
    owners = {it.owner for it in said if isinstance(it, Lost)}
    lost: tuple[OwnerName, ...] = tuple(it for it in OWNERS if it in owners)
    row = msgspec.structs.replace(flight.row, lost=lost)
    concluded = conclude(flight.begun, row, said, at.settings)
    state = msgspec.structs.replace(state, flight=None)
    turned = land(state, row, flight.caller, concluded, at)
    return Turned(turned.state, (CancelTimer("parts"), *turned.outs))


def _abandon(state: Turnstile, flight: Flight, fault: Failure[Fault], at: At) -> Turned:
    """Conclude an input that the session cannot fold; all it meant is in doubt."""
    row = msgspec.structs.replace(flight.row, lost=OWNERS, void=True)
    state = msgspec.structs.replace(state, flight=None)
    turned = land(state, row, None, abandon(flight.begun, row, at.settings), at)
    return Turned(turned.state, (*turned.outs, *replies_to(flight.caller, fault)))


def _ring(state: Turnstile, due_ms: int, at: At) -> Turned:
    """Take the alarm as an input, unless it was set for what is not due any more."""
    state = msgspec.structs.replace(state, ring_ms=None)
    if state.view.next_wake_ms != due_ms:
        return Turned(state)
    rang = Take(what=TimerFired(due_ms=due_ms), source=Source.TIMER)
    return _go_on(_queue(state, rang), at)
