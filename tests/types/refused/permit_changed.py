"""A permit says one thing for ever."""

from gapless.typings import close, ids


def refresh(permit: close.ClosePermit, as_of: ids.InputNumber) -> bool:
    permit.as_of = as_of  # refused: misc, reportAttributeAccessIssue
    return True
