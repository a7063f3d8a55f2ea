"""Who was given a reference for telling cannot ask."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Query, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


def ask(counter: Ref[Add, Never], whole: Ref[Add, Total]) -> None:
    counter.ask(Total())  # refused: arg-type, reportArgumentType
