"""Whose conversation an event belongs to, and whether that begins a new epoch.

A session is an agent process; the harness's own ids are epochs inside it. A foreign id
may be a CLI nested in a shell of the session (it must not touch this session), a
conversation that was replaced (its late events are void), or one that takes over now. Where
both processes are known they decide: the same one has changed its conversation; another one is
nested as long as a shell runs that it can be in, and else the pane's new occupant.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias, assert_never, final

from msgspec import Struct
from msgspec.structs import replace

from gapless.messages.inputs import (
    AgentsKilled,
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
    StatusRead,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
    TurnEnded,
    TurnEndLogged,
)
from gapless.typings.ids import HarnessSessionId
from gapless.typings.processes import ProcessIdentity


@final
class Conversations(Struct, frozen=True, kw_only=True):
    """The conversation in force, those it replaced, and those of CLIs nested in it."""

    current: HarnessSessionId | None = None
    process: ProcessIdentity | None = None
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
    known: Conversations, what: HarnessInput, limit: int, *, shell_open: bool, shells: bool
) -> Attribution:
    """Decide whose event this is.

    ``shell_open``: a call of the lead runs a command; ``shells``: a background shell runs.
    """
    mine = what.conversation
    if mine is None or mine == known.current:
        return Ours(_seen_in(known, what), known.current)
    if known.current is None:
        return Ours(_seen_in(_take_over(known, mine, limit), what), mine)
    if _is_nested(known, what, shell_open=shell_open, shells=shells):
        nested = (*(it for it in known.nested if it != mine), mine)[-limit:]
        return Foreign(replace(known, nested=nested), "a CLI nested in a shell of this session")
    strange = mine not in known.nested and mine not in known.former
    if not _is_of_lead(what):
        if strange:
            return Ours(known, mine)
        return Foreign(known, "of a nested or former conversation")
    if isinstance(what, ConversationEnded):
        return Foreign(known, "another conversation ended")
    if strange or _begins(what):
        taken = _seen_in(_take_over(known, mine, limit), what)
        return Ours(taken, mine, new_epoch=True)
    return Foreign(known, "of a nested or former conversation")


def _is_nested(known: Conversations, what: HarnessInput, *, shell_open: bool, shells: bool) -> bool:
    if what.process is None or known.process is None:
        return shell_open
    return what.process != known.process and (shell_open or shells)


def _seen_in(known: Conversations, what: HarnessInput) -> Conversations:
    """Note the process of the conversation in force, where an event tells it."""
    if what.process is None or what.process == known.process:
        return known
    return replace(known, process=what.process)


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
        case TaskStarted() | TaskSeen() | TaskFinished() | TeammateParked() | AgentsKilled():
            return False
        case (
            PromptSubmitted()
            | TurnEnded()
            | TurnEndLogged()
            | StatusRead()
            | InventoryListed()
            | NotificationDelivered()
            | ConversationStarted()
            | ConversationEnded()
        ):
            return True
        case _:
            assert_never(what)
