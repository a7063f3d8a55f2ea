"""A session of a test's own making: its dispatcher, its processes, and nothing of a runtime."""

from __future__ import annotations

from gapless.actors.hosting.doing import Effects
from gapless.actors.hosting.processes import Processes
from gapless.actors.hosting.session import Session
from gapless.actors.runtime import ActorSystem
from gapless.typings.ids import SessionId
from gapless.typings.settings import DEFAULTS, Settings


def open_session(
    name: str,
    system: ActorSystem,
    effects: Effects,
    processes: Processes,
    settings: Settings = DEFAULTS,
) -> Session:
    return Session(
        SessionId(name), system, effects, processes, settings, incarnation=1, leaving="stop"
    )
