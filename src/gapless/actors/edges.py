"""Edges: what a person is told of, derived from two views in a row.

``done`` is told once, when everything that held the session at work is over, not at each stop
of a lead whose children go on. Restored facts and the start of a conversation are no news. That
somebody is asked is told only if the ask still stands a moment later (``turnstile``), for
some are answered by the harness itself.
"""

from __future__ import annotations

from gapless.typings.edges import Edge, EdgeKind
from gapless.typings.lead import TurnClosed, TurnOpen
from gapless.typings.states import AtBoundary, Done, Failed, Waiting
from gapless.typings.supervision import Fine
from gapless.typings.view import SessionView


def edges(before: SessionView, view: SessionView, *, turn_over: bool) -> tuple[Edge, ...]:
    """Return what is to be told at once of this version; ``turn_over``: of turns as well."""
    kinds: list[EdgeKind] = []
    ended = _turn_is_over(view) and not _turn_is_over(before) and not _was_told(before)
    if turn_over and view.confirmed and ended:
        kinds.append(EdgeKind.TURN_OVER)
    news = _is_over(view) and not _is_over(before) and not _was_told(before)
    if view.confirmed and isinstance(view.state, Done) and news:
        match view.state.outcome:
            case AtBoundary():
                pass
            case Failed():
                kinds.append(EdgeKind.FAILED)
            case _:
                kinds.append(EdgeKind.DONE)
    if isinstance(before.supervision, Fine) and not isinstance(view.supervision, Fine):
        kinds.append(EdgeKind.SUSPECTED)
    return tuple(Edge(kind=kind, upto=view.upto) for kind in kinds)


def _is_over(view: SessionView) -> bool:
    """Whether all is done, and how the turn ended is not still to be heard."""
    unheard = isinstance(view.lead, TurnClosed) and view.lead.unheard
    return isinstance(view.state, Done) and not unheard


def _turn_is_over(view: SessionView) -> bool:
    """Whether a turn of the lead ended, and how that was is not still to be heard."""
    if not isinstance(view.lead, TurnClosed) or view.lead.unheard:
        return False
    return not isinstance(view.lead.outcome, AtBoundary)


def _was_told(before: SessionView) -> bool:
    """Whether the turn is one that was over, and was reopened by what may have been late."""
    return isinstance(before.lead, TurnOpen) and before.lead.was is not None


def begins_to_wait(before: SessionView, view: SessionView) -> bool:
    """Whether somebody is asked now and nobody was before."""
    return isinstance(view.state, Waiting) and not isinstance(before.state, Waiting)
