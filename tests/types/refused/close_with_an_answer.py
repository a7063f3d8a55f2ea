"""An answer closes a session only once it is known to be a yes."""

from gapless.typings import close, doubts


def close_with(permit: close.ClosePermit) -> None: ...


def go_on(answer: close.CloseAnswer) -> None:
    close_with(answer)  # refused: arg-type, reportArgumentType


go_on(close.Undetermined(first=doubts.Unconfirmed()))
