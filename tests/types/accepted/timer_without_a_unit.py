"""A delay is whole milliseconds, never seconds with a fraction."""

from msgspec import Struct

from gapless.actors.runtime import CommandActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Counter(CommandActor[Add]):
    def on_tell(self, message: Add, /) -> None: ...

    def later(self) -> None:
        self.set_timer("tick", 500, Add(by=1))
