"""The close desk: one question at a time, its gate, and the permit it gave.

What must never happen: a permit outlives a hold. A permit is good for the version it was
given at, and any later input after which the session could not be closed makes it
stale for good, also if that hold has fallen again: the host did not see it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from gapless.actors.projection import close_reading, findings
from gapless.actors.state import CloseDesk, Gate, Grant, SessionState
from gapless.messages.answers import Answer, Closed, NotClosed, PermitDue, QuestionAnswered
from gapless.messages.inputs import (
    CloseAsked,
    CloseForced,
    CloseRound,
    CloseUsed,
    Input,
    TimerFired,
)
from gapless.messages.moment import Moment
from gapless.typings.close import (
    Closable,
    CloseReading,
    CloseRefusal,
    ForgedPermit,
    Held,
    StalePermit,
    Undetermined,
)
from gapless.typings.doubts import AlreadyAsking, OwnerGone, TurnStillRunning
from gapless.typings.holds import hold_key
from gapless.typings.ids import QuestionId
from gapless.typings.lead import TurnOpen
from gapless.typings.states import EndCause, Ended

Holds = frozenset[tuple[str, str]]


class Settlement(NamedTuple):
    """The state after the desk had its turn, and what it answers."""

    state: SessionState
    answers: tuple[Answer, ...] = ()


def settle(state: SessionState, what: Input, moment: Moment) -> Settlement:
    """Let the desk take an input whose facts are folded."""
    match what:
        case CloseAsked():
            settlement = _asked(state, what)
        case CloseRound(question=question):
            settlement = _next_round(state, question)
        case CloseUsed():
            settlement = _used(state, what, moment)
        case CloseForced():
            ended = Ended(cause=EndCause.FORCED)
            answers = (*_unanswered(state), Closed(ended=ended))
            settlement = Settlement(_closed(state, ended, moment), answers)
        case TimerFired():
            settlement = _budget(state)
        case _:
            settlement = Settlement(state)
    return Settlement(outdate(settlement.state), settlement.answers)


def wants_round(state: SessionState) -> QuestionId | None:
    """Return the question whose wait is over, to be asked once more as an input of its own."""
    gate = state.desk.gate
    if gate is None or isinstance(state.lead.turn, TurnOpen):
        return None
    return gate.question


def _asked(state: SessionState, what: CloseAsked) -> Settlement:
    if state.desk.gate is not None:
        busy = Undetermined(first=AlreadyAsking())
        return Settlement(state, (QuestionAnswered(question=what.question, answer=busy),))
    ignoring = frozenset(what.ignoring)
    if what.drain_ms is not None and isinstance(state.lead.turn, TurnOpen):
        besides = close_reading(state, findings(state), ignoring, but_turn=True)
        if isinstance(besides, Closable):
            until = state.clock.now_ms + what.drain_ms
            gate = Gate(question=what.question, until_ms=until, ignoring=ignoring)
            return Settlement(_desk(state, gate=gate, grant=state.desk.grant))
    return _answer(state, what.question, ignoring)


def _next_round(state: SessionState, question: QuestionId) -> Settlement:
    gate = state.desk.gate
    if gate is None or gate.question != question:
        return Settlement(state)
    return _answer(_desk(state, gate=None, grant=state.desk.grant), question, gate.ignoring)


def _budget(state: SessionState) -> Settlement:
    gate = state.desk.gate
    if gate is None or state.clock.now_ms < gate.until_ms:
        return Settlement(state)
    late = Undetermined(first=TurnStillRunning())
    opened = _desk(state, gate=None, grant=state.desk.grant)
    return Settlement(opened, (QuestionAnswered(question=gate.question, answer=late),))


def _answer(state: SessionState, question: QuestionId, ignoring: Holds) -> Settlement:
    found = findings(state)
    reading = close_reading(state, found, ignoring)
    match reading:
        case Closable():  # a hold that is raised later was known to nobody, whatever its name
            known = ignoring & frozenset(map(hold_key, found.firm))
            grant = Grant(question=question, as_of=state.upto, ignoring=known)
            due = PermitDue(as_of=state.upto, gated=state.gated)
            answer = QuestionAnswered(question=question, answer=due)
            return Settlement(_desk(state, gate=state.desk.gate, grant=grant), (answer,))
        case Held() | Undetermined():
            return Settlement(state, (QuestionAnswered(question=question, answer=reading),))


def _used(state: SessionState, what: CloseUsed, moment: Moment) -> Settlement:
    grant = state.desk.grant
    if grant is None or (grant.question == what.question and grant.as_of != what.as_of):
        return _refuse(state, ForgedPermit())
    if grant.stale or grant.question != what.question:  # a later question's permit replaced it
        return _refuse(state, StalePermit(as_of=what.as_of))
    reading = _reading(state, grant.ignoring)
    match reading:
        case Closable():
            ended = Ended(cause=EndCause.CLOSED)
            answers = (*_unanswered(state), Closed(ended=ended))
            return Settlement(_closed(state, ended, moment), answers)
        case Held() | Undetermined():
            return _refuse(state, reading)


def _refuse(state: SessionState, refusal: CloseRefusal) -> Settlement:
    return Settlement(state, (NotClosed(refusal=refusal),))


def _unanswered(state: SessionState) -> tuple[Answer, ...]:
    """Answer the question that still waits: nobody will be there to answer it."""
    gate = state.desk.gate
    if gate is None:
        return ()
    gone = Undetermined(first=OwnerGone(subject="the session"))
    return (QuestionAnswered(question=gate.question, answer=gone),)


def _closed(state: SessionState, ended: Ended, moment: Moment) -> SessionState:
    return msgspec.structs.replace(
        state, ended=ended, ended_by=moment.by, closed=True, desk=CloseDesk()
    )


def outdate(state: SessionState) -> SessionState:
    """Make the permit stale for good if the session could not be closed now."""
    grant = state.desk.grant
    if grant is None or grant.stale or isinstance(_reading(state, grant.ignoring), Closable):
        return state
    stale = msgspec.structs.replace(grant, stale=True)
    return _desk(state, gate=state.desk.gate, grant=stale)


def _reading(state: SessionState, ignoring: Holds) -> CloseReading:
    return close_reading(state, findings(state), ignoring)


def _desk(state: SessionState, *, gate: Gate | None, grant: Grant | None) -> SessionState:
    return msgspec.structs.replace(state, desk=CloseDesk(gate=gate, grant=grant))
