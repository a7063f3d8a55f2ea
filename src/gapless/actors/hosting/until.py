"""Wait for a view of which something is true."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan
from typing import Protocol, TypeAlias

from gapless.actors.hosting.pending import PATIENCE_S, Pending
from gapless.actors.runtime import AskGone, TimedOut
from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.timers import Timers
from gapless.actors.runtime.waiting import Waiter
from gapless.messages.answers import Fault
from gapless.typings.outcome import Failure, Success
from gapless.typings.view import SessionView

NotSeen: TypeAlias = TimedOut | AskGone | Fault
"""Why there was no such view: not in time, not before the session was over, or it raised."""


class Watched(Protocol):
    """What publishes views until it is over."""

    @property
    def view(self) -> SessionView:
        """The latest."""
        ...

    @property
    def owed_by(self) -> Waiter:
        """Who publishes them."""
        ...

    def on_version(self, call: Callable[[SessionView], object], /) -> Callable[[], object]:
        """Call with each from now on; return what takes that back."""
        ...

    def when_over(self, call: Callable[[], object], /) -> Callable[[], object]:
        """Call once there will be no more; return what takes that back."""
        ...


def until(
    watched: Watched, timers: Timers, predicate: Callable[[SessionView], bool], timeout_s: float
) -> Pending[SessionView, NotSeen]:
    """Return the first view, from the current one on, of which ``predicate`` is true.

    Raises:
        ValueError: ``timeout_s`` is no number.

    """
    if isnan(timeout_s):
        msg = "a time to wait for has to be a number"
        raise ValueError(msg)
    pending: Pending[SessionView, NotSeen] = Pending(watched.owed_by, timeout_s + PATIENCE_S)

    def look(view: SessionView) -> None:
        try:
            if predicate(view):
                pending.settle(Success(view))
        except BaseException as error:
            pending.settle(Failure(Fault(reason=shown(error))))
            if not isinstance(error, Exception):
                raise

    def too_late() -> None:
        pending.settle(Failure(TimedOut(seconds=timeout_s)))

    remove = watched.on_version(look)
    look(watched.view)
    forget = watched.when_over(lambda: pending.settle(Failure(AskGone())))
    if not pending.done and timeout_s != inf:
        timers.set(pending, int(timeout_s * 1_000), too_late)

    def over(_: object) -> None:
        remove()
        forget()
        timers.cancel(pending)

    pending.when_done(over)
    return pending
