"""What a session can be waiting for a person to do."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.evidence import Evidence
from gapless.typings.ids import AskId, CallDigest, CallId, TaskId


class _Request(Struct, frozen=True, kw_only=True):
    """What every ask has: whose it is, which call it blocks, since when.

    ``agent`` is the child that asks, ``None`` for the lead. ``ask`` and
    ``call`` are the harness's own ids where it tells them; ``digest`` pairs an
    ask with its call where it does not.
    """

    by: Evidence
    agent: TaskId | None = None
    ask: AskId | None = None
    call: CallId | None = None
    digest: CallDigest | None = None
    tool: str = ""


@final
class Permission(_Request, frozen=True, kw_only=True, tag="permission"):
    """May this call run?"""


@final
class Question(_Request, frozen=True, kw_only=True, tag="question"):
    """The agent asks something; any new call of the same agent shows it was answered."""


@final
class PlanApproval(_Request, frozen=True, kw_only=True, tag="plan"):
    """Shall this plan be carried out?"""


@final
class Elicitation(_Request, frozen=True, kw_only=True, tag="elicitation"):
    """A tool server wants a form filled or a page visited."""


Ask: TypeAlias = Permission | Question | PlanApproval | Elicitation
"""The sealed set of asks. None expires: a wait for a person has no lease."""
