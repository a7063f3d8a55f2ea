"""Queries and answers: an ask knows the type of what it gets, a reply cannot be forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Never, Protocol, Self, TypeVar, final

from msgspec import Struct

Value = TypeVar("Value")
QueryT_co = TypeVar("QueryT_co", covariant=True)
ValueT_co = TypeVar("ValueT_co", covariant=True)


@final
class Answer:
    """Proof that a query was answered; ``Query.answer`` alone makes one."""

    __slots__ = ("query", "value")
    query: object
    value: object

    def __init__(self, never: Never, /) -> None:  # noqa: ARG002 - it can never be passed
        """Refuse: there is no value of type ``Never`` to call this with.

        Raises:
            TypeError: always. Return ``query.answer(value)`` instead.

        """
        msg = "an Answer is made by query.answer(value)"
        raise TypeError(msg)


class Query(Struct, Generic[Value], frozen=True, kw_only=True):
    """A message that is owed a ``Value``. Derive each query from ``Query[ItsAnswer]``."""

    def answer(self, value: Value, /) -> Answer:
        """Return the answer to this query, and to no other."""
        answer = object.__new__(Answer)
        answer.query = self
        answer.value = value
        return answer

    if TYPE_CHECKING:
        # Python has no intersection types. This pair stands in for one: `Asked[Q, V]` takes exactly
        # the queries that are among Q, and says what they are owed.
        def _asked(self) -> tuple[Self, Value]: ...


class Asked(Protocol[QueryT_co, ValueT_co]):
    """A query of some set that is owed a value of some type."""

    def _asked(self) -> tuple[QueryT_co, ValueT_co]: ...


@final
class ForeignAnswerError(RuntimeError):
    """A handler answered another query than the one it was asked."""
