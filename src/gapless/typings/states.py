"""What a session is doing: five answers, and no way to write down a wrong one.

``first`` and ``more`` instead of one tuple: an empty ``Working`` does not type-check,
and neither does one whose reason is a shell, in mypy and in pyright alike. (A
generic ``NonEmpty(head, rest=())`` was refused: pyright infers its parameter
covariantly and accepts ``Working(NonEmpty(RunningShells()))``.)
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.asks import Ask
from gapless.typings.doubts import Doubt


@final
class LeadTurn(Struct, frozen=True, kw_only=True, gc=False, tag="lead-turn"):
    """The main agent's own turn is open."""


@final
class ChildrenAtWork(Struct, frozen=True, kw_only=True, gc=False, tag="children"):
    """Children or workflows run."""


@final
class CronsArmed(Struct, frozen=True, kw_only=True, gc=False, tag="crons"):
    """A schedule of the session will wake it, and the lead was not interrupted."""


@final
class ContinuationOwed(Struct, frozen=True, kw_only=True, gc=False, tag="continuation"):
    """A background task ended; the turn that hears of it is still to come."""


WorkReason: TypeAlias = LeadTurn | ChildrenAtWork | CronsArmed | ContinuationOwed
"""Why a session may be called working. No shell and no monitor is a reason."""


@final
class RunningShells(Struct, frozen=True, kw_only=True, gc=False, tag="shells"):
    """Background shells run on; see ``SessionView.shells``."""


@final
class RunningMonitors(Struct, frozen=True, kw_only=True, gc=False, tag="monitors"):
    """Monitors run on; see ``SessionView.shells``."""


Lingering: TypeAlias = RunningShells | RunningMonitors
"""What may be left running behind a session that is done."""


@final
class Completed(Struct, frozen=True, kw_only=True, gc=False, tag="completed"):
    """The turn ended by itself."""


@final
class Interrupted(Struct, frozen=True, kw_only=True, gc=False, tag="interrupted"):
    """A person cut the turn short."""


@final
class Failed(Struct, frozen=True, kw_only=True, gc=False, tag="failed"):
    """The turn ended in an error; ``error`` is the harness's own class of it."""

    error: str = ""


@final
class AtBoundary(Struct, frozen=True, kw_only=True, gc=False, tag="boundary"):
    """The session was just started, resumed or cleared: idle, and nothing finished."""


TurnOutcome: TypeAlias = Completed | Interrupted | Failed | AtBoundary
"""How the lead came to be idle."""


@final
class EndCause(StrEnum):
    """Why a session is over."""

    CLOSED = "closed"
    FORCED = "forced"
    HARNESS = "harness"
    PROCESS_GONE = "process-gone"


@final
class Working(Struct, frozen=True, kw_only=True, tag="working"):
    """Something of the agent's own goes on."""

    first: WorkReason
    more: tuple[WorkReason, ...] = ()

    @property
    def reasons(self) -> tuple[WorkReason, ...]:
        """All reasons; at least one."""
        return (self.first, *self.more)


@final
class Waiting(Struct, frozen=True, kw_only=True, tag="waiting"):
    """A person has to answer; this beats working, which beats done."""

    first: Ask
    more: tuple[Ask, ...] = ()

    @property
    def asks(self) -> tuple[Ask, ...]:
        """All open asks; at least one."""
        return (self.first, *self.more)


@final
class Done(Struct, frozen=True, kw_only=True, tag="done"):
    """Nothing of the agent's own goes on; shells and monitors may linger."""

    outcome: TurnOutcome
    lingering: tuple[Lingering, ...] = ()


@final
class Ended(Struct, frozen=True, kw_only=True, gc=False, tag="ended"):
    """The session is over."""

    cause: EndCause


@final
class Unknown(Struct, frozen=True, kw_only=True, tag="unknown"):
    """Evidence is missing; never an idle session, never a reason to close."""

    first: Doubt
    more: tuple[Doubt, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """All doubts; at least one."""
        return (self.first, *self.more)


SessionState: TypeAlias = Working | Waiting | Done | Ended | Unknown
"""The sealed answer to "what is it doing?"."""
