"""A yes without a permit is no answer."""

from gapless.typings import close, ids


def answer(permit: close.ClosePermit, as_of: ids.InputNumber) -> close.CloseAnswer:
    return close.Permitted(as_of=as_of, gated=True)  # refused: call-arg, reportCallIssue
