"""What an actor pipes to itself becomes one of its own commands."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import AskFailure, CommandActor, Query, Ref
from gapless.typings import Outcome


class Reset(Struct, frozen=True, kw_only=True): ...


class Total(Query[int], frozen=True, kw_only=True): ...


class Heard(Struct, frozen=True, kw_only=True):
    outcome: Outcome[int, AskFailure]


def lost(outcome: Outcome[int, AskFailure]) -> Reset:
    return Reset()


class Display(CommandActor[Heard]):
    def on_tell(self, message: Heard, /) -> None: ...

    def look(self, counter: Ref[Never, Total]) -> None:
        self.pipe_to_self(counter, Total(), lost)  # refused: arg-type, reportArgumentType
