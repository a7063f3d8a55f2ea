"""Whether a message was taken is an outcome, never a truth value."""

from typing import Never

from msgspec import Struct

from gapless.actors import runtime


class Add(Struct, frozen=True, kw_only=True):
    by: int


def add(counter: runtime.Ref[Add, Never]) -> runtime.Told[Add]:
    return counter.tell(Add(by=1))
