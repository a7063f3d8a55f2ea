"""Whoever matches a close answer says what they do where something would be lost."""

from typing import assert_never

from gapless.typings import close, doubts


def allowed(answer: close.CloseAnswer) -> close.ClosePermit | None:
    match answer:
        case close.Permitted(permit=permit):
            return permit
        case close.Held():
            return None
        case close.Undetermined():
            return None
        case _:
            assert_never(answer)


allowed(close.Undetermined(first=doubts.Unconfirmed()))
