"""A reading of the view closes nothing, even if it says closable: the session must be asked."""

from gapless.typings import close


def close_with(permit: close.ClosePermit) -> None: ...


def go_on(answer: close.Permitted) -> None:
    close_with(answer.permit)
