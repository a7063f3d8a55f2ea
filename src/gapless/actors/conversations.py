"""Whose conversation an event belongs to, and whether that begins a new epoch.

A session is an agent process; the harness's own ids are epochs inside it. A foreign id
may be a CLI nested in a shell call of the lead (it must not touch this session), a
conversation that was replaced (its late events are void), or one that takes over now.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias, assert_never, final

from msgspec import Struct

from gapless.messages.inputs import (
    AskAnswered,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    HarnessInput,
    InventoryListed,
    NotificationDelivered,
    PromptSubmitted,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
    TurnEnded,
)
from gapless.typings.ids import HarnessSessionId


@final
class Conversations(Struct, frozen=True, kw_only=True):
    """The conversation in force, those it replaced, and those of CLIs nested in it."""

    current: HarnessSessionId | None = None
    former: tuple[HarnessSessionId, ...] = ()
    nested: tuple[HarnessSessionId, ...] = ()


NOBODY: Final = Conversations()


class Foreign(NamedTuple):
    """The event belongs to another conversation and is not looked at."""

    conversations: Conversations
    reason: str


class Ours(NamedTuple):
    """The event is looked at; ``conversation`` is the one it belongs to."""

    conversations: Conversations
    conversation: HarnessSessionId | None
    new_epoch: bool = False


Attribution: TypeAlias = Foreign | Ours


def attribute(
    known: Conversations, what: HarnessInput, limit: int, *, shell_open: bool
) -> Attribution:
    """Decide whose event this is. ``shell_open``: a call of the lead runs a command."""
    mine = what.conversation
    if mine is None or mine == known.current:
        return Ours(known, known.current)
    if known.current is None:
        return Ours(_take_over(known, mine, limit), mine)
    if shell_open:
        nested = (*(it for it in known.nested if it != mine), mine)[-limit:]
        known = Conversations(current=known.current, former=known.former, nested=nested)
        return Foreign(known, "a CLI nested in a shell call of the lead")
    strange = mine not in known.nested and mine not in known.former
    if not _is_of_lead(what):
        if strange:
            return Ours(known, mine)
        return Foreign(known, "of a nested or former conversation")
    if isinstance(what, ConversationEnded):
        return Foreign(known, "another conversation ended")
    if strange or _begins(what):
        return Ours(_take_over(known, mine, limit), mine, new_epoch=True)
    return Foreign(known, "of a nested or former conversation")


def _take_over(known: Conversations, mine: HarnessSessionId, limit: int) -> Conversations:
    former = known.former if known.current is None else (*known.former, known.current)
    return Conversations(
        current=mine,
        former=tuple(it for it in former if it != mine)[-limit:],
        nested=tuple(it for it in known.nested if it != mine),
    )


def _begins(what: HarnessInput) -> bool:
    match what:
        case PromptSubmitted():
            return True
        case ConversationStarted(how=how):
            return how is not Boundary.COMPACT
        case _:
            return False


def _is_of_lead(what: HarnessInput) -> bool:
    match what:
        case CallStarted(agent=agent) | CallEnded(agent=agent):
            return agent is None
        case AskRaised(agent=agent) | AskAnswered(agent=agent):
            return agent is None
        case TaskStarted() | TaskSeen() | TaskFinished() | TeammateParked():
            return False
        case (
            PromptSubmitted()
            | TurnEnded()
            | InventoryListed()
            | NotificationDelivered()
            | ConversationStarted()
            | ConversationEnded()
        ):
            return True
        case _:
            assert_never(what)
