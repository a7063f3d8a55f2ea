"""What a person is told of: a session came to need somebody, or to be over with its work."""

from __future__ import annotations

from enum import StrEnum
from typing import final

from msgspec import Struct

from gapless.typings.ids import InputNumber


@final
class EdgeKind(StrEnum):
    """What happened."""

    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting"
    SUSPECTED = "suspected"
    TURN_OVER = "turn-over"
    """The lead's own turn is over, whatever goes on; only if asked for (``Settings``)."""


@final
class Edge(Struct, frozen=True, kw_only=True, gc=False):
    """One notice, given once: at version ``upto`` this came to be so."""

    kind: EdgeKind
    upto: InputNumber
