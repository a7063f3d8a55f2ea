"""What holds a session does not close it."""

from gapless.typings import close


def close_with(permit: close.ClosePermit) -> None: ...


def go_on(held: close.Held) -> None:
    close_with(held)  # refused: arg-type, reportArgumentType
