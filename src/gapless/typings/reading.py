"""A view in words: what ``replay`` prints, what recordings expect, what the oracle says."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, final

from msgspec import Struct

from gapless.typings.asks import Ask, Elicitation, Permission, PlanApproval, Question
from gapless.typings.close import Closable, CloseReading, Held, Undetermined
from gapless.typings.holds import AskHold, TurnHold, hold_key
from gapless.typings.lead import NeverSeen, TurnClosed, TurnOpen
from gapless.typings.states import (
    AtBoundary,
    ChildrenAtWork,
    Completed,
    ContinuationOwed,
    CronsArmed,
    Done,
    Ended,
    Failed,
    Interrupted,
    LeadTurn,
    Lingering,
    RunningMonitors,
    RunningShells,
    SessionState,
    TurnOutcome,
    Unknown,
    Waiting,
    Working,
    WorkReason,
)
from gapless.typings.view import SessionView

StateWord: TypeAlias = Literal["working", "waiting", "done", "ended", "unknown"]
LeadWord: TypeAlias = Literal[
    "working", "waiting", "done", "interrupted", "failed", "ended", "unknown"
]
CloseWord: TypeAlias = Literal["closable", "held", "undetermined"]


@final
class Reading(Struct, frozen=True, kw_only=True):
    """A view without evidence, versions and times: two views that say the same read the same.

    ``reasons`` and ``lingering`` are sorted words; ``holds`` sorted ``(category, id)``
    pairs of what holds besides the lead's own turn and the asks.
    """

    state: StateWord
    reasons: tuple[str, ...]
    lingering: tuple[str, ...]
    lead: LeadWord
    holds: tuple[tuple[str, str], ...]
    close: CloseWord
    confirmed: bool


def read(view: SessionView) -> Reading:
    """Put ``view`` into words."""
    state, reasons, lingering = _state(view.state)
    return Reading(
        state=state,
        reasons=reasons,
        lingering=lingering,
        lead=_lead(view),
        holds=tuple(
            sorted(
                {hold_key(hold) for hold in view.holds if not isinstance(hold, TurnHold | AskHold)}
            )
        ),
        close=_close(view.close),
        confirmed=view.confirmed,
    )


def _state(state: SessionState) -> tuple[StateWord, tuple[str, ...], tuple[str, ...]]:
    match state:
        case Working():
            return "working", tuple(sorted({_reason(it) for it in state.reasons})), ()
        case Waiting():
            return "waiting", tuple(sorted({_ask(it) for it in state.asks})), ()
        case Done(lingering=lingering):
            return "done", (), tuple(sorted({_lingering(it) for it in lingering}))
        case Ended():
            return "ended", (), ()
        case Unknown():
            return "unknown", (), ()
        case _:
            assert_never(state)


def _reason(reason: WorkReason) -> str:
    match reason:
        case LeadTurn():
            return "lead-turn"
        case ChildrenAtWork():
            return "children"
        case CronsArmed():
            return "crons"
        case ContinuationOwed():
            return "continuation"
        case _:
            assert_never(reason)


def _ask(ask: Ask) -> str:
    match ask:
        case Permission():
            return "permission"
        case Question():
            return "question"
        case PlanApproval():
            return "plan"
        case Elicitation():
            return "elicitation"
        case _:
            assert_never(ask)


def _lingering(lingering: Lingering) -> str:
    match lingering:
        case RunningShells():
            return "shells"
        case RunningMonitors():
            return "monitors"
        case _:
            assert_never(lingering)


def _lead(view: SessionView) -> LeadWord:
    if isinstance(view.state, Ended):
        return "ended"
    if any(ask.agent is None for ask in view.asks):
        return "waiting"
    match view.lead:
        case NeverSeen():
            return "unknown"
        case TurnOpen():
            return "working"
        case TurnClosed(outcome=outcome):
            return _outcome(outcome)
        case _:
            assert_never(view.lead)


def _outcome(outcome: TurnOutcome) -> LeadWord:
    match outcome:
        case Completed() | AtBoundary():
            return "done"
        case Interrupted():
            return "interrupted"
        case Failed():
            return "failed"
        case _:
            assert_never(outcome)


def _close(close: CloseReading) -> CloseWord:
    match close:
        case Closable():
            return "closable"
        case Held():
            return "held"
        case Undetermined():
            return "undetermined"
        case _:
            assert_never(close)
