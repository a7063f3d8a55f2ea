"""Whoever matches why a message was refused hears of an actor that is gone."""

from typing import assert_never

from msgspec import Struct

from gapless.actors import runtime


class Add(Struct, frozen=True, kw_only=True):
    by: int


def again(refusal: runtime.Undelivered[Add]) -> int:
    match refusal:
        case runtime.MailboxFull(message=message):
            return message.by
        case _:
            assert_never(refusal)  # refused: arg-type, reportArgumentType
