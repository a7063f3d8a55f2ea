"""A person is asked, and answers."""

from __future__ import annotations

from enum import StrEnum
from typing import final

from gapless.messages.inputs.attribution import FromAgent
from gapless.typings.ids import AskId, CallDigest, CallId, PromptId


@final
class AskKind(StrEnum):
    """What the person is asked for."""

    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    ELICITATION = "elicitation"


@final
class AskRaised(FromAgent, frozen=True, kw_only=True, tag="ask-raised"):
    """An agent cannot go on until a person answers.

    Of ``ask``, ``call`` and ``digest`` each is there where the harness tells it, and so is
    ``prompt``, the prompt whose turn it is raised in.
    """

    kind: AskKind
    ask: AskId | None = None
    call: CallId | None = None
    prompt: PromptId | None = None
    digest: CallDigest | None = None
    tool: str = ""


@final
class AskAnswered(FromAgent, frozen=True, kw_only=True, tag="ask-answered"):
    """The harness's own word that an ask is answered, well or not."""

    ask: AskId | None = None
    call: CallId | None = None
    digest: CallDigest | None = None
