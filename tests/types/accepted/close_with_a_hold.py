"""What holds a session does not close it."""

from gapless.typings import close


def close_with(permit: close.ClosePermit) -> None: ...


def go_on(permitted: close.Permitted) -> None:
    close_with(permitted.permit)
