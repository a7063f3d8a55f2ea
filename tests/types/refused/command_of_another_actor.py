"""An actor is told only what it takes."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


def tell(counter: Ref[Add, Never], switch: Ref[Reset, Never]) -> None:
    counter.tell(Reset())  # refused: arg-type, reportArgumentType
