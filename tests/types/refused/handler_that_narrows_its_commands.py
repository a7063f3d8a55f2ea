"""An actor handles every command that its references let through."""

from msgspec import Struct

from gapless.actors.runtime import CommandActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


class Counter(CommandActor[Add | Reset]):
    def on_tell(self, told: Add, /) -> None:  # refused: override, reportIncompatibleMethodOverride
        self.last = told
