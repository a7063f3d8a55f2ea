"""A step sends an actor only what it takes."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import Outgoing, Ref, to


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


def outbox(counter: Ref[Add, Never], switch: Ref[Reset, Never]) -> tuple[Outgoing, ...]:
    return (to(counter, Reset()),)  # refused: misc, reportArgumentType
