"""Nobody but a session makes a permit."""

from gapless.typings import close


def permit(given: close.Permitted) -> close.ClosePermit:
    return close.ClosePermit()  # refused: call-arg, reportCallIssue
