"""What the lead is told."""

from __future__ import annotations

from typing import TypeAlias, final

from gapless.messages.inputs.asks import AskAnswered, AskRaised
from gapless.messages.inputs.inventory import InventoryListed
from gapless.messages.inputs.lifecycle import (
    ConversationEnded,
    ConversationStarted,
    PaneCleared,
    ResyncAsked,
    TimerFired,
)
from gapless.messages.inputs.notifications import NotificationDelivered
from gapless.messages.inputs.turn import (
    CallEnded,
    CallStarted,
    PromptSubmitted,
    StatusRead,
    TurnEnded,
    TurnEndLogged,
    TurnInterrupted,
)
from gapless.messages.moment import DRAIN_TO_LEAD, SESSION_TO_LEAD, Addressed, Hop
from gapless.typings.ids import TaskKey

LeadInput: TypeAlias = (
    PromptSubmitted
    | CallStarted
    | CallEnded
    | TurnEnded
    | TurnEndLogged
    | StatusRead
    | TurnInterrupted
    | AskRaised
    | AskAnswered
    | InventoryListed
    | NotificationDelivered
    | ConversationStarted
    | ConversationEnded
    | PaneCleared
    | TimerFired
    | ResyncAsked
)
"""The inputs the lead has a part in. None of a child's is among them (G4)."""


@final
class LeadPart(Addressed, frozen=True, kw_only=True):
    """The lead's part of an input."""

    what: LeadInput

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return SESSION_TO_LEAD


@final
class Continue(Addressed, frozen=True, kw_only=True):
    """From the drain: open a turn that carries these; they are Active already."""

    keys: tuple[TaskKey, ...]

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return DRAIN_TO_LEAD


@final
class CarriedSettled(Addressed, frozen=True, kw_only=True):
    """From the drain: the host settled these itself."""

    keys: tuple[TaskKey, ...]

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return DRAIN_TO_LEAD


LeadMessage: TypeAlias = LeadPart | Continue | CarriedSettled
