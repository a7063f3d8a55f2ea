"""An answer comes from the query that it answers, and from nowhere else."""

from msgspec import Struct

from gapless.actors.runtime import Answer, Query, TypedActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Total(Query[int], frozen=True, kw_only=True): ...


class Counter(TypedActor[Add, Total]):
    def on_tell(self, message: Add, /) -> None: ...

    def on_ask(self, query: Total, /) -> Answer:
        return Answer(3)  # refused: arg-type, reportArgumentType
