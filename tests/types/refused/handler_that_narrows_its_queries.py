"""An actor answers every query that its references let through."""

from msgspec import Struct

from gapless.actors.runtime import Answer, Query, TypedActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


class Half(Query[int], frozen=True, kw_only=True): ...


class Counter(TypedActor[Add, Total | Half]):
    def on_tell(self, message: Add, /) -> None: ...

    def on_ask(self, it: Total, /) -> Answer:  # refused: override, reportIncompatibleMethodOverride
        return it.answer(3)
