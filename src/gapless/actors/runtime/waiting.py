"""Who waits for whom, so that a wait that could never end fails at once.

An actor that blocks on an answer which it owes itself, directly or through others, would wait
for ever. Every future knows the mailbox that owes it, every mailbox the future that its actor waits
for; before a thread blocks inside a handler it walks that chain, and if the chain comes back
it raises ``AskCycleError`` with the actors named. The walk costs nothing where nobody blocks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, Protocol, final


@final
class AskCycleError(RuntimeError):
    """A blocking wait inside a handler would close a cycle of waits.

    ``actors`` are their names, from the one that was about to wait round to itself.
    """

    def __init__(self, actors: tuple[str, ...]) -> None:
        self.actors: Final = actors
        super().__init__(f"these actors would wait for each other: {' -> '.join(actors)}")


@final
class BlockedDispatcherError(RuntimeError):
    """A handler would block the only thread that could bring the answer."""


class Owed(Protocol):
    """An answer to come, as far as a wait for it goes."""

    @property
    def owed_by(self) -> Waiter | None:
        """Who is to give it; nobody once it is given."""
        ...

    @property
    def done(self) -> bool:
        """Whether it is given."""
        ...


class Waiter(Protocol):
    """What can wait and be waited for: a mailbox."""

    waits_for: Owed | None

    @property
    def name(self) -> str:
        """What a person calls its actor."""
        ...

    @property
    def lends(self) -> Callable[[Callable[[], bool]], object] | None:
        """How its dispatcher goes on while a thread of it waits; ``None``: it cannot."""
        ...


class _Here(threading.local):
    """The mailbox whose handler this thread is in."""

    mailbox: Waiter | None = None


HERE: Final = _Here()


@contextmanager
def waiting_for(answer: Owed) -> Generator[None, None, None]:
    """Mark that this thread waits for ``answer``, for as long as the block lasts.

    Raises:
        AskCycleError: the wait would never end.

    """
    me = HERE.mailbox
    if me is None:
        yield
        return
    me.waits_for = answer
    try:
        _refuse_cycle(me, answer)
        yield
    finally:
        me.waits_for = None


def _refuse_cycle(me: Waiter, answer: Owed) -> None:
    names = [me.name]
    waits = [answer]
    while (owner := waits[-1].owed_by) is not None:
        names.append(owner.name)
        if owner is me:
            if any(each.done for each in waits):
                return  # one of them went on while this thread was looking
            raise AskCycleError(tuple(names))
        wait = owner.waits_for
        if wait is None:
            return
        waits.append(wait)
