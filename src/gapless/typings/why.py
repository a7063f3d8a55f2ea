"""The reasons of a view, each with the inputs it rests on."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.asks import Ask
from gapless.typings.doubts import Doubt
from gapless.typings.evidence import Evidence
from gapless.typings.holds import Hold
from gapless.typings.states import AtBoundary, Completed, Ended, Failed, Interrupted, WorkReason
from gapless.typings.supervision import Supervision

Subject: TypeAlias = (
    WorkReason
    | Ask
    | Completed
    | Interrupted
    | Failed
    | AtBoundary
    | Ended
    | Hold
    | Doubt
    | Supervision
)
"""What a claim can be about: a reason of the state, a hold, a doubt, an alarm."""


@final
class Claim(Struct, frozen=True, kw_only=True):
    """Say why one thing in a view is so.

    ``because`` names inputs, oldest first; it is empty only where the absence of
    an input is the reason (a source that never spoke).
    """

    about: Subject
    text: str
    because: tuple[Evidence, ...]
