"""A player who does as it is told, in a state that it could change."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from gapless.actors.runtime import ActorSystem, Answer, Next, Outgoing, Query, StepActor
from gapless.testing import Move, Scenario


class Act(Struct, frozen=True):
    """A command that says itself what comes of it."""

    step: Callable[[Player, list[int]], Next[list[int]]]


class Look(Query[list[int]], frozen=True):
    pass


class Player(StepActor[list[int], Act, Look]):
    """Does as it is told, in a state that it could change."""

    def __init__(self) -> None:
        super().__init__([])
        self.note = "as made"

    def on_ask(self, query: Look, /) -> Answer:
        return query.answer(self.state)

    def step(self, state: list[int], message: Act, /) -> Next[list[int]]:
        return message.step(self, state)


class Play(Scenario):
    """One player, and the acts that it may be told at any time."""

    def __init__(self, *acts: Callable[[Player, list[int]], Next[list[int]]]) -> None:
        self.player = Player()
        self._acts = acts

    def begin(self, system: ActorSystem) -> None:
        self.system = system
        self.ref = system.spawn(lambda: self.player)

    def moves(self) -> list[Move]:
        return [Move(str(number), self._telling(act)) for number, act in enumerate(self._acts)]

    def _telling(self, act: Callable[[Player, list[int]], Next[list[int]]]) -> Callable[[], object]:
        return lambda: self.ref.tell(Act(act))


def doing(act: Callable[[Player], object]) -> Callable[[Player, list[int]], Next[list[int]]]:
    """Let an act be done as if it were a send."""

    def step(player: Player, state: list[int]) -> Next[list[int]]:
        def send() -> bool:
            act(player)
            return True

        return Next(state, (Outgoing(send, "an act", "the world"),))

    return step


def appending(number: int) -> Callable[[Player, list[int]], Next[list[int]]]:
    return lambda _, state: Next([*state, number])


def failing(player: Player, state: list[int]) -> Next[list[int]]:
    del player, state
    msg = "by itself"
    raise LookupError(msg)
