"""Torn inputs: what a session remembers of what was lost, until it is resent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from gapless.actors.state import SessionState
from gapless.messages.inputs import Input, ResyncAsked
from gapless.messages.session import Lost
from gapless.typings.ids import OWNERS, OwnerName

MOST_RESYNCS: Final = 2
"""How often in a row a resync is asked for at once. After that every input of the outside asks for
one more: an owner that fails for good must not keep its session busy."""


def mind_losses(
    state: SessionState, what: Input, lost: list[Lost], torn: Iterable[OwnerName]
) -> SessionState:
    """Remember who lost a message of this input, or that all have sent all they have."""
    again = isinstance(what, ResyncAsked)
    if not lost and not again:
        return msgspec.structs.replace(state, resyncs_lost=0) if state.resyncs_lost else state
    by = {**state.lost, **{it.owner: it.by for it in lost}} if lost else {}
    return msgspec.structs.replace(
        state,
        lost={owner: by[owner] for owner in OWNERS if owner in by},
        torn=state.torn.union(torn) if lost else frozenset(),
        resync_due=state.resync_due and not again,
        resyncs_lost=state.resyncs_lost + 1 if lost and again else 0,
    )


def wants_resync(state: SessionState) -> bool:
    """Whether what was lost is to be asked for, and nobody has yet."""
    asked = state.resync_due or state.resyncs_lost >= MOST_RESYNCS
    return bool(state.lost) and not (asked or state.closed)
