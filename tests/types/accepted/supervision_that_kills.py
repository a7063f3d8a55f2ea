"""Supervision has no variant that kills, and nobody can add one."""

from typing import final

from gapless.typings import supervision
from msgspec import Struct


@final
class Killed(Struct, frozen=True, kw_only=True, tag="killed"):
    rung: int = 1


verdict: supervision.Supervision | Killed = Killed()
