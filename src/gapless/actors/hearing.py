"""Whether a session looks at an input at all: what is refused, a repeat, or out of date.

What is not looked at has its number all the same, and moves the clock.
"""

from __future__ import annotations

from gapless.actors import lead as leading
from gapless.actors.state import SessionState
from gapless.messages.inputs import (
    Boundary,
    ContinuationTaken,
    ConversationStarted,
    HarnessInput,
    Input,
    InventoryListed,
    NotificationDiscarded,
    NotificationSettled,
    PromptSubmitted,
    ShellInput,
    StopAsked,
    TaskFinished,
    TurnEnded,
    TurnInterrupted,
)
from gapless.messages.moment import Moment
from gapless.messages.recorded import Recorded
from gapless.typings.ids import ManagedId
from gapless.typings.lead import NeverSeen, TurnOpen
from gapless.typings.phases import TaskEnded
from gapless.typings.settings import Settings


def refusal(state: SessionState, row: Recorded, settings: Settings) -> str | None:
    """Say why an input cannot be looked at in the state the session is in."""
    what = row.what
    if row.void:
        return "the session failed on it"
    if state.closed:
        return "the session is closed"
    if state.ended is not None and not _heard_after_end(what):
        return "the session has ended"
    if isinstance(what, ContinuationTaken):
        if state.ended is not None:
            return "the session has ended"
        if state.desk.gate is not None:
            return "a close question is open"
        if isinstance(state.lead.turn, TurnOpen):
            return "a turn is open"
    if isinstance(what, PromptSubmitted) and leading.is_said_again(
        state.lead, what, state.clock.now_ms, settings
    ):
        return "the same prompt again"
    if isinstance(what, PromptSubmitted) and leading.is_repeat(state.lead, what):
        return "a repeated prompt"
    if isinstance(what, TurnEnded) and leading.is_old_stop(state.lead, what):
        return "a repeated stop"
    if isinstance(what, ConversationStarted) and what.how is Boundary.COMPACT:
        return "a compaction changes nothing"
    if isinstance(what, ShellInput) and (what.shell.counter < 1 or what.shell.incarnation < 1):
        return "no shell has this name: incarnations and counters start at 1"
    if isinstance(what, StopAsked) and _has_ended(state, what.shell):
        return "that shell has ended"
    if isinstance(what, NotificationSettled | NotificationDiscarded):
        known = what.key in state.ledger.tasks or what.key in state.ledger.notes
        return None if known else "no such notification"
    return None


def _has_ended(state: SessionState, shell: ManagedId) -> bool:
    fact = state.ledger.tasks.get(shell)
    return fact is not None and isinstance(fact.phase, TaskEnded)


def _heard_after_end(what: Input) -> bool:
    """Whether an ended session listens: to a new beginning, and to what tells what is left."""
    match what:
        case PromptSubmitted() | ConversationStarted() | InventoryListed() | TaskFinished():
            return True
        case TurnInterrupted():
            return False
        case _:
            return not isinstance(what, HarnessInput)


def is_old_news(state: SessionState, what: Input, moment: Moment, settings: Settings) -> bool:
    """Whether this is the start of a conversation that was overtaken by its own first events."""
    begun = state.lead.begun_ms
    if not isinstance(what, ConversationStarted) or begun is None:
        return False
    late = moment.by.at_ms - begun <= settings.late_boundary_ms
    return late and not isinstance(state.lead.turn, NeverSeen)
