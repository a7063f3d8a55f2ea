"""What an actor hears at another's end is one of its own commands."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import CommandActor, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


class Counter(CommandActor[Add]):
    def on_tell(self, message: Add, /) -> None: ...

    def follow(self, other: Ref[Reset, Never]) -> None:
        self.watch(other, Reset())  # refused: arg-type, reportArgumentType
