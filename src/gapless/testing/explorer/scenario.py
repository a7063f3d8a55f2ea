"""A scenario: a few actors, what they are told, and what must hold in every state they can reach.

The explorer puts actors back to where they were by their committed states alone. So a scenario
keeps nothing that changes after ``begin``: what ``check`` compares is in the states of its actors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gapless.actors.runtime import ActorSystem, DeadLetter


class Move(NamedTuple):
    """What the world may do once, at any time after the moves named in ``after``.

    ``act`` may tell actors of the system, and nothing else.
    """

    name: str
    act: Callable[[], object]
    after: tuple[str, ...] = ()


class Scenario(ABC):
    """Derive from this, and hand the class to ``explore``."""

    @abstractmethod
    def begin(self, system: ActorSystem) -> None:
        """Spawn the actors. What they are told here runs before the race, in one fixed order.

        To read the state of an actor in ``check``, make it first: ``self.bank = Bank()``, then
        ``system.spawn(lambda: self.bank)``, and later ``self.bank.state``.
        """

    def prelude(self) -> Sequence[Callable[[], object]]:
        """Return what happens before the race, each once no message of the one before waits."""
        return ()

    def moves(self) -> Sequence[Move]:
        """Return what may happen then, in every order that their ``after`` allows."""
        return ()

    def check(self) -> None:  # noqa: B027 - there may be nothing to check but dead letters
        """Raise ``AssertionError`` if something is wrong. Called in every state, to look only."""

    def check_at_rest(self) -> None:  # noqa: B027 - likewise
        """Raise ``AssertionError`` if something is wrong where nothing is left to happen."""

    def time_passes(self) -> bool:
        """Say whether timers fire here, if no message waits; if not, it can be at rest with some.

        The state of its actors may decide, say that one of them waits for an answer.
        """
        return True

    def losable(self, message: object, /) -> bool:
        """Say whether ``Fault.LOSES`` may lose this message."""
        del message
        return False

    def can_fail(self, message: object, /) -> bool:
        """Say whether the other faults may befall this message; not, say, what a check rests on."""
        del message
        return True

    def dead_letter(self, letter: DeadLetter, /) -> None:
        """Hear of a message that nobody handled, though no injected fault explains it.

        By default that is a violation; override this to allow some, raising for the others.
        """
        msg = f"a dead letter: {letter}"
        raise AssertionError(msg)
