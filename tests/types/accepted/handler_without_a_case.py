"""Whoever matches an actor's commands says what they do about each."""

from typing import assert_never

from msgspec import Struct

from gapless.actors.runtime import CommandActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


class Counter(CommandActor[Add | Reset]):
    total = 0

    def on_tell(self, message: Add | Reset, /) -> None:
        match message:
            case Add(by=by):
                self.total += by
            case Reset():
                self.total = 0
            case _:
                assert_never(message)
