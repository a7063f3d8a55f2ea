"""Ctrl-C while a walk is on.

What a handler raises is a fault of its actor, an interrupt too: it would be contained in whatever
step it falls, and the walk would go on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Generator[Callable[[], None], None, None]:
    """Note an interrupt; the function that is given raises it, where nothing contains it.

    A second one is raised at once, for a step that never ends. Where somebody has a handler of
    his own, or off the main thread, nothing is changed.
    """
    noted: list[int] = []

    def note(signum: int, frame: FrameType | None) -> None:
        if noted:
            signal.default_int_handler(signum, frame)
        noted.append(signum)

    def look() -> None:
        if noted:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield look
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
