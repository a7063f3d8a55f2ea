"""The embedding face: a runtime, its sessions, and what their calls come to."""

from __future__ import annotations

from gapless.actors.hosting.changes import Change, Changes, Missed
from gapless.actors.hosting.continuations import Continuation, Continuations
from gapless.actors.hosting.failures import CallFailure, NotTaken
from gapless.actors.hosting.pending import Pending
from gapless.actors.hosting.permits import NotEnded
from gapless.actors.hosting.processes import Processes
from gapless.actors.hosting.runtime import Runtime
from gapless.actors.hosting.session import Known, Session
from gapless.actors.hosting.until import NotSeen

__all__ = [
    "CallFailure",
    "Change",
    "Changes",
    "Continuation",
    "Continuations",
    "Known",
    "Missed",
    "NotEnded",
    "NotSeen",
    "NotTaken",
    "Pending",
    "Processes",
    "Runtime",
    "Session",
]
