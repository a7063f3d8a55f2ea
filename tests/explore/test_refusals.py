"""What a walk refuses, because it could not be exhaustive or could not go back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Never

import pytest

from gapless.actors.runtime import ActorSystem, Answer, CommandActor, Next, Ref, StepActor, to
from gapless.testing import Move, Scenario, TooLarge, explore
from tests.explore.kit import Network, Office, Post
from tests.explore.player import Act, Look, Play, Player, appending, doing


def test_too_many_states_are_an_error_with_figures() -> None:
    moves = [(place, Post(name=str(place))) for place in range(3)]
    whole = explore(lambda: Network(3, moves))
    assert explore(lambda: Network(3, moves), most_states=whole.states) == whole
    with pytest.raises(TooLarge, match="Network has more than 26 states") as found:
        explore(lambda: Network(3, moves), most_states=whole.states - 1)
    assert found.value.states == whole.states - 1
    assert found.value.edges


def test_too_many_states_name_what_is_never_the_same() -> None:
    class Token:
        pass

    class Unlike(StepActor[Token, Post, Never]):
        def on_ask(self, query: Never, /) -> Answer:
            raise NotImplementedError

        def step(self, state: Token, message: Post, /) -> Next[Token]:
            del state
            return Next(Token(), (to(self.me, message),))

    class Unlikely(Scenario):
        def begin(self, system: ActorSystem) -> None:
            self.ref = system.spawn(lambda: Unlike(Token()))

        def moves(self) -> list[Move]:
            return [Move("begin", lambda: self.ref.tell(Post(name="on")))]

    with pytest.raises(TooLarge, match=r"identity alone, so never seen again: .*Token"):
        explore(Unlikely, most_states=50)


def noting(player: Player, state: list[int]) -> Next[list[int]]:
    player.note = "changed"
    return Next(state)


def mutating(player: Player, state: list[int]) -> Next[list[int]]:
    del player
    state.append(1)
    return Next(state)


def ignore(outcome: object) -> Act:
    raise AssertionError(outcome)


UNRESTORABLE = {
    "an attribute": (noting, "Player keeps 'note' beside its state"),
    "a mutation": (mutating, "the state that Player was given was changed in place"),
    "a spawn": (doing(lambda me: me.system.spawn(Office)), "begins or ends on the way"),
    "an end": (doing(lambda me: me.stop_flag.set()), "begins or ends on the way"),
    "a stop": (doing(lambda me: me.actor_ref.stop(block=False)), "an ask or a stop waits"),
    "an ask": (doing(lambda me: me.me.ask_later(Look())), "an ask or a stop waits"),
    "a watch": (doing(lambda me: me.watch(me.me, Act(noting))), "awaits an answer or an end"),
    "a pipe": (doing(lambda me: me.pipe_to_self(me.me, Look(), ignore)), "awaits an answer"),
}


@pytest.mark.parametrize(("act", "error"), UNRESTORABLE.values(), ids=UNRESTORABLE.keys())
def test_what_cannot_be_put_back_is_refused(
    act: Callable[[Player, list[int]], Next[list[int]]], error: str
) -> None:
    with pytest.raises(TypeError, match=error):
        explore(lambda: Play(act))


def test_an_actor_that_is_no_step_actor_is_refused() -> None:
    class Plain(CommandActor[Post]):
        def on_tell(self, message: Post, /) -> None:
            raise NotImplementedError

    class Mixed(Network):
        def begin(self, system: ActorSystem) -> None:
            super().begin(system)
            self.plain: Ref[Post, Never] = system.spawn(Plain)

    with pytest.raises(TypeError, match="Plain is no StepActor"):
        explore(lambda: Mixed(1, []))


def test_a_check_that_acts_is_refused() -> None:
    class Curious(Play):
        def check(self) -> None:
            self.ref.ask(Look())

    with pytest.raises(TypeError, match="a check of Curious told or asked an actor"):
        explore(lambda: Curious(appending(1)))


def test_a_beginning_without_end_is_refused() -> None:
    def again(player: Player, state: list[int]) -> Next[list[int]]:
        return Next(state, (to(player.me, Act(again)),))

    class Endless(Play):
        def begin(self, system: ActorSystem) -> None:
            super().begin(system)
            self.ref.tell(Act(again))

    with pytest.raises(RuntimeError, match="Endless does not come to rest after begin"):
        explore(Endless)
