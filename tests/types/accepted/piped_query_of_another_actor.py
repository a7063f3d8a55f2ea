"""An actor pipes to itself only what the other answers."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import AskFailure, CommandActor, Query, Ref
from gapless.typings import Outcome


class Total(Query[int], frozen=True, kw_only=True): ...


class Half(Query[int], frozen=True, kw_only=True): ...


class Heard(Struct, frozen=True, kw_only=True):
    outcome: Outcome[int, AskFailure]


def heard(outcome: Outcome[int, AskFailure]) -> Heard:
    return Heard(outcome=outcome)


class Display(CommandActor[Heard]):
    def on_tell(self, message: Heard, /) -> None: ...

    def look(self, counter: Ref[Never, Total]) -> None:
        self.pipe_to_self(counter, Total(), heard)
