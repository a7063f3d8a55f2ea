"""Say what a fact rests on: which input, from which source, how old, how sure."""

from __future__ import annotations

from enum import StrEnum
from typing import final

from msgspec import Struct

from gapless.typings.ids import InputNumber


@final
class Source(StrEnum):
    """Where an input came from."""

    HOOK = "hook"
    LOG = "log"
    STATUS_FILE = "status-file"
    BUS = "bus"
    HOST = "host"
    PROCESS = "process"
    TIMER = "timer"
    EFFECT = "effect"
    SESSION = "session"
    PLUGIN = "plugin"


@final
class Provenance(StrEnum):
    """How an input reached us: seen as it happened, spooled meanwhile, or from before a restart.

    Restored facts are never an edge and never make anything closable.
    """

    LIVE = "live"
    SPOOLED = "spooled"
    RESTORED = "restored"


@final
class Evidence(Struct, frozen=True, kw_only=True, gc=False):
    """Point to the input a fact rests on.

    ``at_ms`` is session time: awake monotonic milliseconds without clock jumps.
    """

    number: InputNumber
    at_ms: int
    source: Source
    provenance: Provenance = Provenance.LIVE

    def age_ms(self, now_ms: int) -> int:
        """Return how old this is at ``now_ms`` of the same session's time, in ms."""
        return max(0, now_ms - self.at_ms)
