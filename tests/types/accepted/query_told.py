"""A query is asked, never told: told, it would owe its answer to nobody."""

from msgspec import Struct

from gapless.actors.runtime import Query, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


def send(counter: Ref[Add, Total]) -> None:
    counter.ask(Total())
