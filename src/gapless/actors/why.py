"""Name the inputs that every state, hold and doubt of a session rests on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from gapless.actors.ledger import oldest_first
from gapless.actors.projection import CHILD_KINDS, findings, project
from gapless.actors.state import SessionState
from gapless.messages.session import TaskFact
from gapless.typings.asks import Ask
from gapless.typings.doubts import (
    AlreadyAsking,
    Doubt,
    FactLost,
    InputVoid,
    OwnerGone,
    PartLost,
    SilentSource,
    SourceSilent,
    TurnStillRunning,
    Unconfirmed,
    UnknownTask,
)
from gapless.typings.evidence import Evidence
from gapless.typings.holds import (
    AgentHold,
    AskHold,
    CronHold,
    Hold,
    MonitorHold,
    NotificationHold,
    PluginHold,
    ShellHold,
    TurnHold,
    WorkflowHold,
    hold_key,
)
from gapless.typings.ids import TaskKey, name_of
from gapless.typings.lead import NeverSeen, TurnClosed, TurnOpen
from gapless.typings.phases import Settled, TaskEnded, TaskKind
from gapless.typings.settings import Settings
from gapless.typings.states import (
    ChildrenAtWork,
    ContinuationOwed,
    CronsArmed,
    Done,
    Ended,
    LeadTurn,
    Unknown,
    Waiting,
    Working,
    WorkReason,
)
from gapless.typings.supervision import Escalated, Fine, Suspected
from gapless.typings.why import Claim


def why(state: SessionState, settings: Settings) -> tuple[Claim, ...]:
    """Return the claims of the current view: of its state, then holds, doubts, alarms.

    Every claim names at least one input, except where the reason is that none came.
    """
    view = project(state, settings)
    claims = list(_state_claims(state, settings))
    claims.extend(
        Claim(
            about=hold,
            text=_hold_text(state, hold),
            because=_of_hold(state, hold),
        )
        for hold in view.holds
    )
    found = findings(state)
    claims.extend(
        Claim(about=doubt, text=_doubt_text(doubt), because=_of_doubt(state, doubt))
        for doubt in (*found.doubts, *found.close_doubts)
    )
    match view.supervision:
        case Fine():
            pass
        case (Suspected(suspicion=it, evidence=because)) | (
            Escalated(suspicion=it, evidence=because)
        ):
            claims.append(
                Claim(about=view.supervision, text=f"may be stuck: {it}", because=because)
            )
        case _:
            assert_never(view.supervision)
    return tuple(claims)


def _hold_text(state: SessionState, hold: Hold) -> str:
    name = ": ".join(hold_key(hold))
    if isinstance(hold, ShellHold) and all(it.kind is not TaskKind.SHELL for it in _running(state)):
        return f"{name}: the results of what ended would be lost"
    return f"{name} would be lost"


def _state_claims(state: SessionState, settings: Settings) -> Iterable[Claim]:
    answer = project(state, settings).state
    match answer:
        case Working():
            for reason in answer.reasons:
                yield _reason_claim(state, reason)
        case Waiting():
            for ask in answer.asks:
                yield Claim(
                    about=ask, text=f"waits for a person: {_ask_text(ask)}", because=(ask.by,)
                )
        case Done(outcome=outcome):
            turn = state.lead.turn
            because = (turn.by,) if isinstance(turn, TurnClosed) else ()
            yield Claim(about=outcome, text="the lead's turn is over", because=because)
            for lapsed in state.lapsed:
                text = f"owed notification of {name_of(lapsed.key)} never came"
                yield Claim(about=outcome, text=text, because=(lapsed.phase.by,))
        case Ended(cause=cause):
            because = () if state.ended_by is None else (state.ended_by,)
            yield Claim(about=answer, text=f"the session ended: {cause}", because=because)
        case Unknown():
            return
        case _:
            assert_never(answer)


def _ask_text(ask: Ask) -> str:
    return f"{type(ask).__name__.lower()} {ask.tool}".rstrip()


def _reason_claim(state: SessionState, reason: WorkReason) -> Claim:
    match reason:
        case LeadTurn():
            text, because = "the lead's turn is open", _turn(state)
        case ChildrenAtWork():
            text = "children are at work"
            because = tuple(fact.phase.by for fact in _running(state) if fact.kind in CHILD_KINDS)
        case CronsArmed():
            text, because = "a schedule is armed", _crons(state)
        case ContinuationOwed():
            text = "background work ended and its continuation is to come"
            owed = state.ledger.standing.unsettled
            because = tuple(it for key in owed for it in _of_notification(state, key))
        case _:
            assert_never(reason)
    return Claim(about=reason, text=text, because=oldest_first(because))


def _of_hold(state: SessionState, hold: Hold) -> tuple[Evidence, ...]:
    match hold:
        case TurnHold():
            because = _turn(state)
        case AskHold(ask=ask):
            because = (ask.by,)
        case AgentHold(key=key) | WorkflowHold(key=key) | MonitorHold(key=key):
            because = (state.ledger.tasks[key].phase.by,)
        case NotificationHold(key=key):
            because = _of_notification(state, key)
        case ShellHold():
            because = _of_shells(state)
        case CronHold():
            because = _crons(state)
        case PluginHold():
            because = ()
        case _:
            assert_never(hold)
    return oldest_first(because)


def _of_doubt(state: SessionState, doubt: Doubt) -> tuple[Evidence, ...]:
    match doubt:
        case FactLost(owner=owner):
            because: tuple[Evidence, ...] = (state.lost[owner],)
        case InputVoid():
            because = () if state.voided_by is None else (state.voided_by,)
        case UnknownTask(task=task):
            because = _named(state, task)
        case SourceSilent(source=source, subject=subject):
            because = () if source is SilentSource.LEAD else _named(state, subject)
        case OwnerGone(subject=subject):
            gone = state.cleared_by or state.ended_by
            because = (*(() if gone is None else (gone,)), *_named(state, subject))
        case Unconfirmed():
            because = tuple(it.phase.by for it in _running(state) if not it.confirmed)
        case AlreadyAsking() | TurnStillRunning() | PartLost():
            because = ()
        case _:
            assert_never(doubt)
    return oldest_first(because)


def _doubt_text(doubt: Doubt) -> str:
    match doubt:
        case FactLost(owner=owner):
            return f"{owner} lost an input and has not resent its state"
        case InputVoid():
            return "an event could not be taken in, and what it told was not told anew"
        case UnknownTask(word=word):
            return f"a task of unknown type runs: {word or 'no type'}"
        case SourceSilent(source=source, subject=subject):
            return f"{source} {subject} was not heard, or not for too long".replace("  ", " ")
        case OwnerGone(subject=subject):
            return f"nobody is left who could tell of {subject or 'the pane'}"
        case Unconfirmed():
            return "known only from before a restart"
        case AlreadyAsking():
            return "another close question is open"
        case TurnStillRunning():
            return "the open turn did not end within the budget"
        case PartLost(contributor=contributor):
            return f"{contributor} did not answer"
        case _:
            assert_never(doubt)


def _turn(state: SessionState) -> tuple[Evidence, ...]:
    match state.lead.turn:
        case TurnOpen(by=by) | TurnClosed(by=by):
            return (by,)
        case NeverSeen():
            return ()
        case _:
            assert_never(state.lead.turn)


def _crons(state: SessionState) -> tuple[Evidence, ...]:
    return () if state.lead.crons_by is None else (state.lead.crons_by,)


def _running(state: SessionState) -> list[TaskFact]:
    return [it for it in state.ledger.tasks.values() if not isinstance(it.phase, TaskEnded)]


def _of_notification(state: SessionState, key: TaskKey) -> tuple[Evidence, ...]:
    task = state.ledger.tasks.get(key)
    ended = () if task is None else (task.phase.by,)
    return (*ended, state.ledger.notes[key].by)


def _of_shells(state: SessionState) -> tuple[Evidence, ...]:
    """Return what the one shell hold rests on: running shells, and owed notifications."""
    because: list[Evidence] = []
    for key, fact in state.ledger.tasks.items():
        if fact.kind is not TaskKind.SHELL:
            continue
        note = state.ledger.notes.get(key)
        if note is not None and not isinstance(note, Settled):
            because.extend((fact.phase.by, note.by))
        elif not isinstance(fact.phase, TaskEnded):
            because.append(fact.phase.by)
    return tuple(because)


def _named(state: SessionState, name: str) -> tuple[Evidence, ...]:
    return tuple(fact.phase.by for key, fact in state.ledger.tasks.items() if name_of(key) == name)
