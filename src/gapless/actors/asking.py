"""Turn the message that an ask was raised into the ask that a view shows."""

from __future__ import annotations

from typing import assert_never

from gapless.messages.inputs.asks import AskKind, AskRaised
from gapless.typings.asks import Ask, Elicitation, Permission, PlanApproval, Question
from gapless.typings.evidence import Evidence


def ask_from(what: AskRaised, by: Evidence) -> Ask:
    """Return the ask, resting on ``by``."""
    match what.kind:
        case AskKind.PERMISSION:
            leaf: type[Permission | Question | PlanApproval | Elicitation] = Permission
        case AskKind.QUESTION:
            leaf = Question
        case AskKind.PLAN:
            leaf = PlanApproval
        case AskKind.ELICITATION:
            leaf = Elicitation
        case _:
            assert_never(what.kind)
    return leaf(
        by=by,
        agent=what.agent,
        ask=what.ask,
        call=what.call,
        digest=what.digest,
        tool=what.tool,
    )
