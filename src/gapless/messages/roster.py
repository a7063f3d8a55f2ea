"""What the child roster is told."""

from __future__ import annotations

from typing import TypeAlias, final

from gapless.messages.drain import Taken
from gapless.messages.inputs.asks import AskAnswered, AskRaised
from gapless.messages.inputs.inventory import InventoryListed
from gapless.messages.inputs.lifecycle import (
    ConversationEnded,
    ConversationStarted,
    PaneCleared,
    ResyncAsked,
    TasksRestored,
    TimerFired,
)
from gapless.messages.inputs.notifications import NotificationDelivered
from gapless.messages.inputs.tasks import (
    AgentsKilled,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
)
from gapless.messages.inputs.turn import (
    CallEnded,
    CallStarted,
    PromptSubmitted,
    TurnEnded,
    TurnEndLogged,
)
from gapless.messages.moment import SESSION_TO_ROSTER, Addressed, Hop

RosterInput: TypeAlias = (
    PromptSubmitted
    | CallStarted
    | CallEnded
    | TurnEnded
    | TurnEndLogged
    | AskRaised
    | AskAnswered
    | TaskStarted
    | TaskSeen
    | TaskFinished
    | TeammateParked
    | AgentsKilled
    | InventoryListed
    | NotificationDelivered
    | ConversationStarted
    | ConversationEnded
    | PaneCleared
    | TasksRestored
    | TimerFired
    | ResyncAsked
)
"""The inputs the roster has a part in; of calls and asks, only those of children."""


@final
class RosterPart(Addressed, frozen=True, kw_only=True):
    """The roster's part of an input. ``None``: only the epoch changed."""

    what: RosterInput | None

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return SESSION_TO_ROSTER


RosterMessage: TypeAlias = RosterPart | Taken
