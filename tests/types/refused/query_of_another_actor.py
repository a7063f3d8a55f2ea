"""An actor is asked only what it answers."""

from msgspec import Struct

from gapless.actors.runtime import Query, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


class Colour(Query[str], frozen=True, kw_only=True): ...


def ask(counter: Ref[Add, Total], paint: Ref[Add, Colour]) -> None:
    counter.ask(Colour())  # refused: arg-type, reportArgumentType
