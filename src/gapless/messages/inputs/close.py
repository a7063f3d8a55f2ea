"""The question "may I close you?", its rounds, and the close itself."""

from __future__ import annotations

from typing import final

from gapless.messages.inputs.attribution import FromHost
from gapless.typings.ids import InputNumber, QuestionId


@final
class CloseAsked(FromHost, frozen=True, kw_only=True, tag="close-asked"):
    """May this session be closed?

    ``drain_ms`` is how long the answer may wait for an open turn to end by
    itself; ``None``: not at all. ``ignoring`` names holds, as ``(category, id)``, that
    the host knows it can lose.
    """

    question: QuestionId
    drain_ms: int | None = None
    ignoring: tuple[tuple[str, str], ...] = ()


@final
class CloseRound(FromHost, frozen=True, kw_only=True, tag="close-round"):
    """The session asks once more, now that the turn it waited for is over."""

    question: QuestionId


@final
class CloseUsed(FromHost, frozen=True, kw_only=True, tag="close-used"):
    """The host closes with the permit of this question (its identity is already checked)."""

    question: QuestionId
    as_of: InputNumber


@final
class CloseForced(FromHost, frozen=True, kw_only=True, tag="close-forced"):
    """The host closes whatever is lost; ``cause`` is its own word for why."""

    cause: str
