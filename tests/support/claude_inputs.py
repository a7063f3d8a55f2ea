"""The inputs that a hook's payload comes to."""

from __future__ import annotations

from gapless.harnesses.claude import read_hook
from gapless.messages.inputs import (
    Input,
)
from gapless.typings.outcome import Success
from tests.support.claude import (
    Json,
)


def read(payload: Json) -> tuple[Input, ...]:
    outcome = read_hook(payload)
    assert isinstance(outcome, Success), outcome
    return outcome.unwrap()


def one(payload: Json) -> Input:
    inputs = read(payload)
    assert len(inputs) == 1, inputs
    return inputs[0]
