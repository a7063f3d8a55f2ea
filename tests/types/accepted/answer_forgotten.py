"""Whoever handles a query answers it on every path."""

from msgspec import Struct

from gapless.actors.runtime import Answer, Query, TypedActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


class Counter(TypedActor[Add, Total]):
    total = 3

    def on_tell(self, message: Add, /) -> None: ...

    def on_ask(self, query: Total, /) -> Answer:
        if self.total:
            return query.answer(self.total)
        return query.answer(0)
