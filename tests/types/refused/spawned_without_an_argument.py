"""What an actor is made of cannot be left out where it is spawned."""

from msgspec import Struct

from gapless.actors.runtime import ActorSystem, CommandActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Counter(CommandActor[Add]):
    def __init__(self, start: int) -> None:
        super().__init__()
        self.total = start

    def on_tell(self, message: Add, /) -> None: ...


def begin(system: ActorSystem) -> None:
    system.spawn(Counter)  # refused: call-arg, reportCallIssue
