"""Logging that never raises: a line that cannot be written is no fault of whoever wanted it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_log: Final = logging.getLogger("gapless")


def logged(text: str, *values: object, level: int = logging.ERROR) -> None:
    """Log ``text``, with the exception that is being handled.

    A filter or a handler may raise, and so may the exception as it is shown, an interrupt among
    them. Then the line is tried once more by itself.
    """
    error = sys.exc_info()[0]
    try:
        _log.log(level, text, *values, exc_info=error is not None)
    except BaseException:  # noqa: BLE001 - said again without what could not be shown
        with suppress(BaseException):
            _log.log(level, "%s raised; more could not be logged", error)


def contained(call: Callable[[], object], text: str) -> bool:
    """Call somebody else's function; what it raises is logged under ``text``, and nobody's fault.

    Returns whether it returned.
    """
    try:
        call()
    except BaseException:  # noqa: BLE001 - logged; whoever calls goes on
        logged(text)
        return False
    return True
