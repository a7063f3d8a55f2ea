"""A step says the next state and what to send with it, never the state alone."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Next, StepActor


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Counter(StepActor[int, Add, Never]):
    def step(self, state: int, message: Add, /) -> Next[int]:
        return Next(state + message.by)
