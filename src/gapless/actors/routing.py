"""Which owner has a part in which input."""

from __future__ import annotations

from typing import assert_never

from gapless.actors.step import Send, ToDrain, ToLead, ToRegistry, ToRoster
from gapless.messages.drain import DrainPart
from gapless.messages.inputs import (
    AgentsKilled,
    AskAnswered,
    AskRaised,
    CallEnded,
    CallStarted,
    CloseAsked,
    CloseForced,
    CloseRound,
    CloseUsed,
    ContinuationTaken,
    ConversationEnded,
    ConversationStarted,
    EffectDone,
    Input,
    InventoryListed,
    NotificationDelivered,
    NotificationDiscarded,
    NotificationSettled,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    ShellAdopted,
    ShellExited,
    ShellGrew,
    ShellLost,
    SpawnAsked,
    StatusRead,
    StopAsked,
    TaskFinished,
    TaskSeen,
    TasksRestored,
    TaskStarted,
    TeammateParked,
    TimerFired,
    TurnEnded,
    TurnEndLogged,
    TurnInterrupted,
)
from gapless.messages.inputs.observed import (
    ClaimMade,
    CpuSampled,
    PaneCaptured,
    PaneTurnMarked,
    ShellPolled,
)
from gapless.messages.lead import LeadPart
from gapless.messages.moment import Moment
from gapless.messages.registry import RegistryPart
from gapless.messages.roster import RosterPart
from gapless.typings.phases import REGISTRY_KINDS


def parts_of(what: Input, moment: Moment) -> tuple[Send, ...]:
    """Return the parts of an input, one for each owner it concerns."""
    match what:
        case PromptSubmitted() | InventoryListed() | NotificationDelivered() | TurnEnded():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRoster(RosterPart(moment=moment, what=what)),
                ToRegistry(RegistryPart(moment=moment, what=what)),
            )
        case CallStarted() | CallEnded() | AskRaised() | AskAnswered():
            if what.agent is None:
                return (ToLead(LeadPart(moment=moment, what=what)),)
            return (ToRoster(RosterPart(moment=moment, what=what)),)
        case TurnInterrupted():
            return (ToLead(LeadPart(moment=moment, what=what)),)
        case TurnEndLogged():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRoster(RosterPart(moment=moment, what=what)),
            )
        case StatusRead():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRegistry(RegistryPart(moment=moment, what=what)),
            )
        case TaskSeen() | TeammateParked() | AgentsKilled():
            return (ToRoster(RosterPart(moment=moment, what=what)),)
        case TaskStarted(kind=kind) | TaskFinished(kind=kind):
            roster: Send = ToRoster(RosterPart(moment=moment, what=what))
            registry: Send = ToRegistry(RegistryPart(moment=moment, what=what))
            if kind is None:
                return (roster, registry)
            return (registry if kind in REGISTRY_KINDS else roster,)
        case ConversationStarted() | ConversationEnded() | PaneCleared():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRoster(RosterPart(moment=moment, what=what)),
                ToRegistry(RegistryPart(moment=moment, what=what)),
                ToDrain(DrainPart(moment=moment, what=what)),
            )
        case TasksRestored():
            return (
                ToRoster(RosterPart(moment=moment, what=what)),
                ToRegistry(RegistryPart(moment=moment, what=what)),
            )
        case TimerFired():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRoster(RosterPart(moment=moment, what=what)),
                ToDrain(DrainPart(moment=moment, what=what)),
            )
        case (
            SpawnAsked()
            | EffectDone()
            | ShellExited()
            | StopAsked()
            | ShellGrew()
            | ShellAdopted()
            | ShellLost()
        ):
            return (ToRegistry(RegistryPart(moment=moment, what=what)),)
        case ContinuationTaken() | NotificationSettled() | NotificationDiscarded():
            return (ToDrain(DrainPart(moment=moment, what=what)),)
        case ResyncAsked():
            return (
                ToLead(LeadPart(moment=moment, what=what)),
                ToRoster(RosterPart(moment=moment, what=what)),
                ToRegistry(RegistryPart(moment=moment, what=what)),
                ToDrain(DrainPart(moment=moment, what=what)),
            )
        case CloseAsked() | CloseRound() | CloseUsed() | CloseForced():
            return ()
        case ClaimMade() | PaneCaptured() | PaneTurnMarked() | ShellPolled() | CpuSampled():
            return ()
        case _:
            assert_never(what)


def with_epoch(sends: tuple[Send, ...], moment: Moment) -> tuple[Send, ...]:
    """Return the parts of an input that begins an epoch: every owner has one, if only for that.

    The drain has its first: it voids what was owed before anything new can be handed to it.
    """
    first: list[Send] = []
    if not any(isinstance(it, ToDrain) for it in sends):
        first.append(ToDrain(DrainPart(moment=moment, what=None)))
    if not any(isinstance(it, ToRoster) for it in sends):
        first.append(ToRoster(RosterPart(moment=moment, what=None)))
    if not any(isinstance(it, ToRegistry) for it in sends):
        first.append(ToRegistry(RegistryPart(moment=moment, what=None)))
    return (*first, *sends)
