"""The sealed set of inputs: everything that decides something about a session.

An input is at once a message, a row of the journal and a wire form. A view is
the fold of a prefix of the list of them, and of nothing else.
"""

from __future__ import annotations

from typing import TypeAlias

from gapless.messages.inputs.asks import AskAnswered, AskKind, AskRaised
from gapless.messages.inputs.close import CloseAsked, CloseForced, CloseRound, CloseUsed
from gapless.messages.inputs.inventory import CronRow, Inventory, InventoryListed, TaskRow
from gapless.messages.inputs.lifecycle import (
    Boundary,
    ConversationEnded,
    ConversationStarted,
    PaneCleared,
    RestoredTask,
    ResyncAsked,
    TasksRestored,
    TimerFired,
)
from gapless.messages.inputs.notifications import (
    ContinuationTaken,
    NotificationDelivered,
    NotificationDiscarded,
    NotificationSettled,
)
from gapless.messages.inputs.observed import (
    ClaimedState,
    ClaimMade,
    ClaimSource,
    CpuSampled,
    CpuVerdict,
    NamedTask,
    PaneCaptured,
    PaneTurnMarked,
    ShellPolled,
)
from gapless.messages.inputs.shells import (
    EffectDone,
    ShellAdopted,
    ShellExited,
    ShellGrew,
    ShellLost,
    SignalFailed,
    Signalled,
    SpawnAsked,
    Spawned,
    SpawnFailed,
    StopAsked,
)
from gapless.messages.inputs.tasks import (
    AgentsKilled,
    Launch,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
)
from gapless.messages.inputs.turn import (
    CallEnded,
    CallStarted,
    PromptSubmitted,
    StatusRead,
    StatusWord,
    TurnEnded,
    TurnEndLogged,
    TurnInterrupted,
)

HarnessInput: TypeAlias = (
    PromptSubmitted
    | CallStarted
    | CallEnded
    | TurnEnded
    | TurnEndLogged
    | StatusRead
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
)
"""What a harness says. It names the conversation it speaks of, where it can."""

ShellInput: TypeAlias = (
    SpawnAsked | EffectDone | ShellExited | StopAsked | ShellGrew | ShellAdopted | ShellLost
)
"""What happens to managed shells."""

NotificationInput: TypeAlias = ContinuationTaken | NotificationSettled | NotificationDiscarded
"""What a host does with the notifications of a session it runs."""

HostInput: TypeAlias = TurnInterrupted | PaneCleared | TasksRestored
"""What a host knows of a session."""

CloseInput: TypeAlias = CloseAsked | CloseRound | CloseUsed | CloseForced
"""Closing, step by step."""

ObservedInput: TypeAlias = ClaimMade | PaneCaptured | PaneTurnMarked | ShellPolled | CpuSampled
"""Evidence for supervision."""

ControlInput: TypeAlias = TimerFired | ResyncAsked
"""What the session and its runtime send it themselves."""

Input: TypeAlias = (
    HarnessInput
    | ShellInput
    | NotificationInput
    | HostInput
    | CloseInput
    | ObservedInput
    | ControlInput
)
"""Everything that decides something."""

__all__ = [
    "AgentsKilled",
    "AskAnswered",
    "AskKind",
    "AskRaised",
    "Boundary",
    "CallEnded",
    "CallStarted",
    "ClaimMade",
    "ClaimSource",
    "ClaimedState",
    "CloseAsked",
    "CloseForced",
    "CloseInput",
    "CloseRound",
    "CloseUsed",
    "ContinuationTaken",
    "ControlInput",
    "ConversationEnded",
    "ConversationStarted",
    "CpuSampled",
    "CpuVerdict",
    "CronRow",
    "EffectDone",
    "HarnessInput",
    "HostInput",
    "Input",
    "Inventory",
    "InventoryListed",
    "Launch",
    "NamedTask",
    "NotificationDelivered",
    "NotificationDiscarded",
    "NotificationInput",
    "NotificationSettled",
    "ObservedInput",
    "PaneCaptured",
    "PaneCleared",
    "PaneTurnMarked",
    "PromptSubmitted",
    "RestoredTask",
    "ResyncAsked",
    "ShellAdopted",
    "ShellExited",
    "ShellGrew",
    "ShellInput",
    "ShellLost",
    "ShellPolled",
    "SignalFailed",
    "Signalled",
    "SpawnAsked",
    "SpawnFailed",
    "Spawned",
    "StatusRead",
    "StatusWord",
    "StopAsked",
    "TaskFinished",
    "TaskRow",
    "TaskSeen",
    "TaskStarted",
    "TasksRestored",
    "TeammateParked",
    "TimerFired",
    "TurnEndLogged",
    "TurnEnded",
    "TurnInterrupted",
]
