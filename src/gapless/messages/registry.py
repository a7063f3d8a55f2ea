"""What the shell registry is told."""

from __future__ import annotations

from typing import TypeAlias, final

from gapless.messages.drain import Taken
from gapless.messages.inputs.inventory import InventoryListed
from gapless.messages.inputs.lifecycle import (
    ConversationEnded,
    ConversationStarted,
    PaneCleared,
    ResyncAsked,
    TasksRestored,
)
from gapless.messages.inputs.notifications import NotificationDelivered
from gapless.messages.inputs.shells import (
    EffectDone,
    ShellAdopted,
    ShellExited,
    ShellGrew,
    ShellLost,
    SpawnAsked,
    StopAsked,
)
from gapless.messages.inputs.tasks import TaskFinished, TaskStarted
from gapless.messages.inputs.turn import PromptSubmitted, StatusRead, TurnEnded
from gapless.messages.moment import SESSION_TO_REGISTRY, Addressed, Hop

RegistryInput: TypeAlias = (
    SpawnAsked
    | EffectDone
    | ShellExited
    | StopAsked
    | ShellGrew
    | ShellAdopted
    | ShellLost
    | TaskStarted
    | TaskFinished
    | PromptSubmitted
    | TurnEnded
    | StatusRead
    | InventoryListed
    | NotificationDelivered
    | ConversationStarted
    | ConversationEnded
    | PaneCleared
    | TasksRestored
    | ResyncAsked
)
"""The inputs the registry has a part in."""


@final
class RegistryPart(Addressed, frozen=True, kw_only=True):
    """The registry's part of an input. ``None``: only the epoch changed."""

    what: RegistryInput | None

    @property
    def hop(self) -> Hop:
        """The way it goes."""
        return SESSION_TO_REGISTRY


RegistryMessage: TypeAlias = RegistryPart | Taken
