"""A reference may be narrowed on its way, never widened."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


def narrowed(counter: Ref[Add | Reset, Never]) -> Ref[Add, Never]:
    return counter


def widened(counter: Ref[Add, Never]) -> Ref[Add | Reset, Never]:
    return counter  # refused: return-value, reportReturnType
