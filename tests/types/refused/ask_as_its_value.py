"""An ask may fail: its value is had only where that is dealt with."""

from msgspec import Struct

from gapless.actors.runtime import Query, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


def total(counter: Ref[Add, Total]) -> int:
    return counter.ask(Total())  # refused: return-value, reportReturnType
