"""What the notification drain is told, and its receipt to the giver."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

from gapless.messages.inputs.lifecycle import (
    ConversationEnded,
    ConversationStarted,
    PaneCleared,
    ResyncAsked,
    TimerFired,
)
from gapless.messages.inputs.notifications import (
    ContinuationTaken,
    NotificationDiscarded,
    NotificationSettled,
)
from gapless.messages.moment import LEAD_TO_DRAIN, SESSION_TO_DRAIN, Addressed, Hop
from gapless.typings.ids import TaskId, TaskKey

Giver: TypeAlias = Literal["roster", "registry"]

DrainInput: TypeAlias = (
    ContinuationTaken
    | NotificationSettled
    | NotificationDiscarded
    | ConversationStarted
    | ConversationEnded
    | PaneCleared
    | TimerFired
    | ResyncAsked
)
"""The inputs the drain has a part in."""


@final
class DrainPart(Addressed, frozen=True, kw_only=True):
    """The drain's part of an input. ``None``: only the epoch changed."""

    what: DrainInput | None

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return SESSION_TO_DRAIN


@final
class Notify(Addressed, frozen=True, kw_only=True):
    """From an owner of tasks: these ended and owe a notification; I show them until you have it."""

    giver: Giver
    keys: tuple[TaskKey, ...]

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return Hop(sender=self.giver, to="drain")


@final
class Taken(Addressed, frozen=True, kw_only=True):
    """To the giver: I have them; you may publish their ends."""

    giver: Giver
    keys: tuple[TaskKey, ...]

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return Hop(sender="drain", to=self.giver)


@final
class Deliver(Addressed, frozen=True, kw_only=True):
    """From the lead: the harness delivered these tasks' notifications.

    ``in_turn``: into a turn that is open; that turn's end settles them. Else they are settled.
    """

    tasks: tuple[TaskId, ...]
    in_turn: bool

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return LEAD_TO_DRAIN


@final
class TurnOver(Addressed, frozen=True, kw_only=True):
    """From the lead: its turn ended; whatever is Active is settled."""

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return LEAD_TO_DRAIN


DrainMessage: TypeAlias = DrainPart | Notify | Deliver | TurnOver
