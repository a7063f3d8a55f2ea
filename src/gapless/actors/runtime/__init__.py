"""Typed actors, many on few threads: a runtime that knows nothing of sessions.

Real pykka actors whose inbox is a mailbox on a dispatcher. Everything a user needs is named here.
"""

from __future__ import annotations

from gapless.actors.runtime.actor import DispatchedActor
from gapless.actors.runtime.clock import Clock, ManualClock, SystemClock
from gapless.actors.runtime.dispatch import Dispatcher, Runnable
from gapless.actors.runtime.effects import EffectRunner
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.hybrid import HybridDispatcher
from gapless.actors.runtime.letters import DeadLetter, DeadLetters, Death
from gapless.actors.runtime.loop import LoopDispatcher
from gapless.actors.runtime.outcomes import (
    ActorGone,
    AskFailure,
    AskGone,
    Cyclic,
    Faulted,
    MailboxFull,
    TimedOut,
    Told,
    Undelivered,
    WouldBlock,
)
from gapless.actors.runtime.queries import Answer, Query
from gapless.actors.runtime.refs import Ref
from gapless.actors.runtime.stepped import SteppedDispatcher
from gapless.actors.runtime.system import ActorSystem
from gapless.actors.runtime.typed import CommandActor, Next, Outgoing, StepActor, TypedActor, to
from gapless.actors.runtime.waiting import AskCycleError, BlockedDispatcherError

__all__ = [
    "ActorGone",
    "ActorSystem",
    "Answer",
    "AskCycleError",
    "AskFailure",
    "AskGone",
    "BlockedDispatcherError",
    "Clock",
    "CommandActor",
    "Cyclic",
    "DeadLetter",
    "DeadLetters",
    "Death",
    "DispatchedActor",
    "Dispatcher",
    "EffectRunner",
    "Faulted",
    "HybridDispatcher",
    "LoopDispatcher",
    "MailboxFull",
    "ManualClock",
    "Next",
    "Outgoing",
    "Query",
    "Ref",
    "Reply",
    "Runnable",
    "StepActor",
    "SteppedDispatcher",
    "SystemClock",
    "TimedOut",
    "Told",
    "TypedActor",
    "Undelivered",
    "WouldBlock",
    "to",
]
