"""Whoever asks knows the type of what comes back."""

from msgspec import Struct

from gapless.actors.runtime import AskFailure, Query, Ref
from gapless.typings import Outcome


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


def total(counter: Ref[Add, Total]) -> Outcome[int, AskFailure]:
    return counter.ask(Total())
