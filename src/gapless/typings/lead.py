"""The lead's own turn, apart from everything that goes on beside it."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.evidence import Evidence
from gapless.typings.ids import PromptId, TaskKey
from gapless.typings.states import TurnOutcome


@final
class NeverSeen(Struct, frozen=True, kw_only=True, gc=False, tag="never-seen"):
    """No event of the lead was heard yet: unknown, not idle."""


@final
class TurnOpen(Struct, frozen=True, kw_only=True, tag="open"):
    """The turn is open.

    ``prompts`` are the prompts seen since it opened, oldest first; ``carries``
    the notifications whose continuation opened it. ``resumed``: a call or an ask showed
    that the last turn goes on, and no prompt came since; ``was`` is that turn's end, as long as
    what reopened it may have been late news.
    """

    by: Evidence
    prompts: tuple[PromptId, ...] = ()
    carries: tuple[TaskKey, ...] = ()
    resumed: bool = False
    was: TurnClosed | None = None


@final
class TurnClosed(Struct, frozen=True, kw_only=True, gc=False, tag="closed"):
    """The turn is over; ``by`` is the input that ended it.

    ``presumed``: the harness did not say so itself, its log or its status file did. Its stop may
    yet come, and what shows that the turn goes on reopens it. ``unheard``: the status file says so,
    and nothing yet told what the harness lists at a turn's end.
    """

    by: Evidence
    outcome: TurnOutcome
    presumed: bool = False
    unheard: bool = False


LeadTurnState: TypeAlias = NeverSeen | TurnOpen | TurnClosed
"""Whether the lead's turn is open."""
