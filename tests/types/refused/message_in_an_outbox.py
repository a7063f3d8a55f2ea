"""A step addresses what it sends."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Next, Ref, to


class Add(Struct, frozen=True, kw_only=True):
    by: int


def forward(message: Add, other: Ref[Add, Never]) -> tuple[Next[int], ...]:
    sent = to(other, message)
    return Next(1, (sent,)), Next(2, (message,))  # refused: arg-type, reportArgumentType
