"""Injecting faults, around one delivery: the runtime has no seam for them, and needs none.

The public ``step`` of one actor is covered by an attribute of the same name for as long as it takes
one message. It is the real step that runs inside, so a step that is not pure shows: it has done
its deed when it is made to raise, and does it again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeAlias, final

from gapless.actors.runtime import Next, Outgoing, StepActor

Steps: TypeAlias = Callable[[object, object], Next[object]]

_log: Final = logging.getLogger("gapless")


@final
class InjectedFaultError(Exception):
    """What a handler raises because the explorer wants it to."""


@contextmanager
def covered(actor: StepActor[object, object, object], step: Steps) -> Generator[None, None, None]:
    """Let an actor step in another way for a while."""
    vars(actor)["step"] = step
    try:
        yield
    finally:
        del vars(actor)["step"]


def raising(step: Steps, times: int) -> Steps:
    """Return a step that raises so many times, each time after it has done all that it does."""
    left = [InjectedFaultError("injected")] * times

    def wrapped(state: object, message: object, /) -> Next[object]:
        following = step(state, message)
        if left:
            raise left.pop()
        return following

    return wrapped


def delaying(step: Steps, late: list[Outgoing]) -> Steps:
    """Return a step whose sends end up in ``late``."""

    def wrapped(state: object, message: object, /) -> Next[object]:
        following = step(state, message)
        late.extend(following.outbox)
        return Next(following.state)

    return wrapped


def _unexpected(record: logging.LogRecord) -> bool:
    """Whether a record is about more than an injected fault."""
    return not (record.exc_info and isinstance(record.exc_info[1], InjectedFaultError))


@contextmanager
def quiet() -> Generator[None, None, None]:
    """Keep injected faults, of which there are many, out of the log."""
    _log.addFilter(_unexpected)
    try:
        yield
    finally:
        _log.removeFilter(_unexpected)
