"""What an actor hears when its timer is due is one of its own commands."""

from msgspec import Struct

from gapless.actors.runtime import CommandActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


class Counter(CommandActor[Add]):
    def on_tell(self, message: Add, /) -> None: ...

    def later(self) -> None:
        self.set_timer("tick", 1_000, Add(by=1))
