"""The order to mint a permit is no permit."""

from gapless.messages import answers
from gapless.typings import close, ids


def close_with(permit: close.ClosePermit) -> ids.InputNumber:
    return permit.as_of


def go_on(due: answers.PermitDue, permit: close.ClosePermit) -> bool:
    return close_with(due) == due.as_of  # refused: arg-type, reportArgumentType
