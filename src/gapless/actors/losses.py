"""Torn and void inputs: what a session remembers of what was lost.

What an owner lost is resent, and then nothing is in doubt. What the session itself failed on is
void, and nobody sends it again. What it told of the lead's turn is in doubt until a turn is heard
to begin or to end; what it may have told of tasks, until a whole list of them is heard, or another
conversation begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from gapless.actors.state import SessionState
from gapless.messages.inputs import (
    AskAnswered,
    AskRaised,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    HarnessInput,
    Input,
    Inventory,
    InventoryListed,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    TurnEnded,
    TurnInterrupted,
)
from gapless.messages.session import Lost
from gapless.typings.evidence import Evidence
from gapless.typings.ids import OWNERS, OwnerName

MOST_RESYNCS: Final = 2
"""How often in a row a resync is asked for at once. After that every input of the outside asks for
one more: an owner that fails for good must not keep its session busy."""

_TELLS_OF_TURNS_ALONE: Final = (PromptSubmitted, CallStarted, CallEnded, AskRaised, AskAnswered)
_TELLS_THE_TURN: Final = (PromptSubmitted, TurnEnded, TurnInterrupted)
_BEGINS_ANEW: Final = (ConversationStarted, ConversationEnded, PaneCleared)


def mind_losses(
    state: SessionState, what: Input, lost: list[Lost], asked: Iterable[OwnerName]
) -> SessionState:
    """Remember who lost a message of this input, or that all have sent all they have.

    ``asked`` are those who were sent a part of it. They send again what they sent on for it, so
    whoever had that says all it has too. If a resync is lost as well, another input may come
    between, and then they do not: from then on everybody is asked.
    """
    again = isinstance(what, ResyncAsked)
    if not lost and not again:
        return msgspec.structs.replace(state, resyncs_lost=0) if state.resyncs_lost else state
    by = {**state.lost, **{it.owner: it.by for it in lost}} if lost else {}
    return msgspec.structs.replace(
        state,
        lost={owner: by[owner] for owner in OWNERS if owner in by},
        torn=state.torn.union(OWNERS if again else asked) if lost else frozenset(),
        resync_due=state.resync_due and not again,
        resyncs_lost=state.resyncs_lost + 1 if lost and again else 0,
    )


def mind_void(state: SessionState, what: Input, by: Evidence) -> SessionState:
    """Doubt what is known, for an event of the harness is void; a host asks again by itself."""
    if state.closed or not isinstance(what, HarnessInput):
        return state
    tasks = state.tasks_voided or not isinstance(what, _TELLS_OF_TURNS_ALONE)
    return msgspec.structs.replace(state, voided_by=by, tasks_voided=tasks)


def hear_anew(state: SessionState, what: Input, *, new_epoch: bool) -> SessionState:
    """Forget that an event was void once what it may have told is told anew."""
    if state.voided_by is None:
        return state
    listed = isinstance(what, TurnEnded | InventoryListed) and _is_whole(what.inventory)
    turn = isinstance(what, _TELLS_THE_TURN) and not state.tasks_voided
    if not (new_epoch or turn or listed or isinstance(what, _BEGINS_ANEW)):
        return state
    return msgspec.structs.replace(state, voided_by=None, tasks_voided=False)


def _is_whole(inventory: Inventory | None) -> bool:
    return inventory is not None and inventory.tasks is not None and inventory.complete


def wants_resync(state: SessionState) -> bool:
    """Whether what was lost is to be asked for, and nobody has yet."""
    asked = state.resync_due or state.resyncs_lost >= MOST_RESYNCS
    return bool(state.lost) and not (asked or state.closed)
