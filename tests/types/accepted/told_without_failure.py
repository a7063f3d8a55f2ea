"""Whoever matches what telling came to hears that a message was refused."""

from typing import Never, assert_never

from msgspec import Struct

from gapless.actors.runtime import Ref
from gapless.typings import outcome


class Add(Struct, frozen=True, kw_only=True):
    by: int


def add(counter: Ref[Add, Never]) -> str:
    told = counter.tell(Add(by=1))
    match told:
        case outcome.Success():
            return "taken"
        case outcome.Failure():
            return "refused"
        case _:
            assert_never(told)
