"""May I close it now? A reading, a question's answer, and the permit between question and close.

Types stop accidents here, identity stops forgeries: a permit has no public
constructor, cannot be copied, pickled or decoded, and the session compares the
one it is given with the one it minted by ``is``, at the version it minted it.
"""

from __future__ import annotations

from typing import Never, TypeAlias, final

from msgspec import Struct

from gapless.typings.doubts import Doubt
from gapless.typings.holds import Hold
from gapless.typings.ids import InputNumber, QuestionId


@final
class Closable(Struct, frozen=True, kw_only=True, gc=False, tag="closable"):
    """Nothing known would be lost, and everything that must be known is."""


@final
class Held(Struct, frozen=True, kw_only=True, tag="held"):
    """Something would be lost."""

    first: Hold
    more: tuple[Hold, ...] = ()

    @property
    def holds(self) -> tuple[Hold, ...]:
        """All holds; at least one."""
        return (self.first, *self.more)


@final
class Undetermined(Struct, frozen=True, kw_only=True, tag="undetermined"):
    """Nothing is known to hold, but something that must be known is not."""

    first: Doubt
    more: tuple[Doubt, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """All doubts; at least one."""
        return (self.first, *self.more)


CloseReading: TypeAlias = Closable | Held | Undetermined
"""The pure reading ``view.close``: no side effect, no promise about the next input."""


@final
class ClosePermit:
    """Prove that a session answered "yes" at one version; good for one ``close``.

    Only a session mints one. It is not a message: it cannot be compared by
    value, copied, pickled or sent.
    """

    __slots__ = ("__weakref__", "_as_of", "_question")
    _as_of: InputNumber
    _question: QuestionId

    def __init__(self, never: Never, /) -> None:  # noqa: ARG002 - it can never be passed
        """Refuse: there is no value of type ``Never`` to call this with.

        Raises:
            TypeError: always. Ask a session with ``ask_close`` instead.

        """
        msg = "a ClosePermit is minted by a session: use ask_close()"
        raise TypeError(msg)

    @property
    def as_of(self) -> InputNumber:
        """The version of the view this permit was given at."""
        return self._as_of

    @property
    def question(self) -> QuestionId:
        """The close question this permit answers."""
        return self._question

    def __setattr__(self, name: str, value: object) -> Never:
        """Refuse: a permit says one thing for ever.

        Raises:
            AttributeError: always.

        """
        msg = f"a ClosePermit does not change: {name}"
        raise AttributeError(msg)

    def __reduce__(self) -> Never:
        """Refuse to be copied or pickled: the copy would be a forgery.

        Raises:
            TypeError: always.

        """
        msg = "a ClosePermit cannot be copied or sent"
        raise TypeError(msg)


def mint_permit(question: QuestionId, as_of: InputNumber) -> ClosePermit:
    """Mint a permit; for the session alone (a test holds who may import this)."""
    permit = object.__new__(ClosePermit)
    object.__setattr__(permit, "_question", question)
    object.__setattr__(permit, "_as_of", as_of)
    return permit


@final
class Permitted(Struct, frozen=True, kw_only=True, tag="permitted"):
    """Yes, as of this version.

    ``gated`` says whether the host runs the session, so that new turns are kept away while
    the question is open; ``False`` means that a harness was heard, and Gapless only looked.
    """

    permit: ClosePermit
    as_of: InputNumber
    gated: bool


CloseAnswer: TypeAlias = Permitted | Held | Undetermined
"""What ``ask_close`` answers: the question itself, not a reading."""


@final
class StalePermit(Struct, frozen=True, kw_only=True, gc=False, tag="stale-permit"):
    """A turn began or a hold was raised after the permit was given; ask again."""

    as_of: InputNumber


@final
class ForgedPermit(Struct, frozen=True, kw_only=True, gc=False, tag="forged-permit"):
    """The session did not mint that permit, or it was used before."""


CloseRefusal: TypeAlias = StalePermit | ForgedPermit | Held | Undetermined
"""Why ``close(permit)`` did not close."""
