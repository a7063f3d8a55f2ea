"""What an input is answered with, once its view is published."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.close import CloseRefusal, Held, Undetermined
from gapless.typings.ids import InputNumber, QuestionId
from gapless.typings.outcome import Outcome
from gapless.typings.states import Ended


@final
class PermitDue(Struct, frozen=True, kw_only=True, gc=False, tag="permit-due"):
    """Yes: the session is to mint a permit of this version. It is no permit itself."""

    as_of: InputNumber
    gated: bool


@final
class QuestionAnswered(Struct, frozen=True, kw_only=True, tag="question-answered"):
    """The answer to ``ask_close``."""

    question: QuestionId
    answer: PermitDue | Held | Undetermined


@final
class Closed(Struct, frozen=True, kw_only=True, gc=False, tag="closed"):
    """The answer to ``close(permit)`` and ``force_close``: it is over."""

    ended: Ended


@final
class NotClosed(Struct, frozen=True, kw_only=True, tag="not-closed"):
    """The answer to ``close(permit)``: it is not over, for this reason."""

    refusal: CloseRefusal


@final
class Ignored(Struct, frozen=True, kw_only=True, gc=False, tag="ignored"):
    """The input changed nothing but the clock; ``reason`` says why."""

    reason: str


Answer: TypeAlias = QuestionAnswered | Closed | NotClosed | Ignored


@final
class Called(Struct, frozen=True, kw_only=True, tag="called"):
    """What came of an input: its number, which ``view.upto`` has reached, and its answers."""

    number: InputNumber
    answers: tuple[Answer, ...] = ()


@final
class Fault(Struct, frozen=True, kw_only=True, gc=False, tag="fault"):
    """Gapless failed on this input, twice; it is void, or what came of it is in doubt."""

    reason: str


@final
class Busy(Struct, frozen=True, kw_only=True, gc=False, tag="busy"):
    """So many inputs wait for their number that no call is taken; nothing came of it."""

    waiting: int


CallOutcome: TypeAlias = Outcome[Called, Fault | Busy]
"""What a caller hears."""
