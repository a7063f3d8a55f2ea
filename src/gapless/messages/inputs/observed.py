"""What others see of a session: evidence for supervision, never a state by itself."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, final

from msgspec import Struct

from gapless.messages.inputs.attribution import FromHost
from gapless.typings.ids import ManagedId, TaskId


@final
class ClaimedState(StrEnum):
    """What another tracker says of this session."""

    UNKNOWN = "unknown"
    WORKING = "working"
    PAUSED = "paused"
    PARKED = "parked"
    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNREADABLE = "unreadable"


@final
class ClaimSource(StrEnum):
    """Which tracker says so; only the first is proof of work."""

    RUN_STEP = "run-step"
    PANE = "pane"
    STATUS_LOG = "status-log"


@final
class ClaimMade(FromHost, frozen=True, kw_only=True, tag="claim-made"):
    """Another source says what the session is doing."""

    state: ClaimedState
    origin: ClaimSource


@final
class PaneCaptured(FromHost, frozen=True, kw_only=True, tag="pane-captured"):
    """The terminal's content has this hash; equal hashes in a row are quiet."""

    hash: str


@final
class PaneTurnMarked(FromHost, frozen=True, kw_only=True, tag="pane-turn-marked"):
    """A turn-end marker of the pane was touched: a bound restarts, no state changes."""


@final
class NamedTask(Struct, frozen=True, kw_only=True, gc=False, tag="named"):
    """A reported shell, by the harness's own id."""

    task: TaskId


ShellRef: TypeAlias = ManagedId | NamedTask


@final
class ShellPolled(FromHost, frozen=True, kw_only=True, tag="shell-polled"):
    """The agent looked at a shell; ``blocking`` if it waited there."""

    shell: ShellRef
    blocking: bool = False


@final
class CpuVerdict(StrEnum):
    """What the process tree below the agent did since the oldest comparable sample."""

    ADVANCING = "advancing"
    STATIC = "static"
    WARMING = "warming"
    NONE = "none"


@final
class CpuSampled(FromHost, frozen=True, kw_only=True, tag="cpu-sampled"):
    """One sampler tick for this session. ``delta_ticks`` over ``window_ms``, by ``method``."""

    verdict: CpuVerdict
    delta_ticks: int = 0
    window_ms: int = 0
    method: str = ""
    reason: str = ""
