"""A refused message comes back as what it is."""

from typing import Never

from msgspec import Struct

from gapless.actors.runtime import MailboxFull, Ref


class Add(Struct, frozen=True, kw_only=True):
    by: int


class Reset(Struct, frozen=True, kw_only=True): ...


def again(refusal: MailboxFull[Add], counter: Ref[Add, Never], switch: Ref[Reset, Never]) -> None:
    counter.tell(refusal.message)
