"""A permit cannot be made from a permit."""

from gapless.typings import close


def again(permit: close.ClosePermit) -> close.ClosePermit:
    return close.ClosePermit(permit)  # refused: arg-type, reportArgumentType
