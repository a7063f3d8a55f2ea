"""Is it stuck? An alarm with its evidence, never an action."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.evidence import Evidence


@final
class Suspicion(StrEnum):
    """What kind of stuck it may be."""

    HUNG_CHILD = "hung-child"
    SILENT_TURN = "silent-turn"
    LOST_CONTINUATION = "lost-continuation"
    LIMIT_REACHED = "limit-reached"
    AGENT_GONE = "agent-gone"
    UNDELIVERED = "undelivered"


@final
class Fine(Struct, frozen=True, kw_only=True, gc=False, tag="fine"):
    """No sign that it is stuck; with no evidence at all this is all there is to say."""


@final
class Suspected(Struct, frozen=True, kw_only=True, tag="suspected"):
    """It may be stuck; ``evidence`` is what speaks for it."""

    suspicion: Suspicion
    evidence: tuple[Evidence, ...]


@final
class Escalated(Struct, frozen=True, kw_only=True, tag="escalated"):
    """Suspected for so long that ``rung`` alarms have been due; rungs count from 1."""

    rung: int
    suspicion: Suspicion
    evidence: tuple[Evidence, ...]


Supervision: TypeAlias = Fine | Suspected | Escalated
"""The sealed answer to "is it stuck?". It has no variant that kills."""
