"""Name things so that no two kinds of name can be mixed up.

Plain names are ``NewType``s: free at run time, distinct to both checkers. Names
that the ledger orders are structs, because their order is what lets it forget:
a name below a low-water mark is known to be over for ever.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, NewType, TypeAlias, assert_never, final

from msgspec import Meta, Struct

Place: TypeAlias = Annotated[int, Meta(ge=1)]
"""A place in a sequence that is counted from 1; checked where it is decoded."""

SessionId = NewType("SessionId", str)
"""The unit with a ledger: one session a host opened, or one agent process."""

HarnessSessionId = NewType("HarnessSessionId", str)
"""What a CLI calls its conversation; an epoch inside one session, it may change."""

PromptId = NewType("PromptId", str)
"""What a CLI calls one prompt and the work that it starts."""

CallId = NewType("CallId", str)
"""What a CLI calls one tool call (``tool_use_id``, ``call_id``)."""

CallDigest = NewType("CallDigest", str)
"""A digest of a call's tool and input: pairs what carries no call id."""

AskId = NewType("AskId", str)
"""What a CLI calls one request to a person."""

TaskId = NewType("TaskId", str)
"""What a CLI calls one thing it runs beside the lead: child, workflow, shell, monitor."""

CronId = NewType("CronId", str)
"""What a CLI calls one armed schedule of a session."""

QuestionId = NewType("QuestionId", int)
"""One close question of a host, counted by the session."""

InputNumber = NewType("InputNumber", int)
"""The place of an input in its session's list; the first is 1."""

NO_INPUT: Final = InputNumber(0)
"""The number before the first: the version of a view that rests on nothing."""

OwnerName: TypeAlias = Literal["lead", "roster", "registry", "drain"]
"""The four owners whose facts a session folds."""

OWNERS: Final[tuple[OwnerName, ...]] = ("registry", "roster", "drain", "lead")
"""All owners, in the order in which a reader of their own snapshots must look (G1b)."""


@final
class ManagedId(Struct, frozen=True, kw_only=True, gc=False, tag="managed"):
    """Name a shell that Gapless started itself.

    ``incarnation`` counts the sessions that a host opened, ``counter`` the shells of that
    session in start order; no pair is ever used again.
    """

    incarnation: Place
    counter: Place


@final
class ReportedId(Struct, frozen=True, kw_only=True, gc=False, tag="reported"):
    """Name one life of a task that only its harness knows.

    A harness uses an id again when it resumes a task, so the owner counts
    lives, densely and in start order over all its tasks.
    """

    owner: Literal["roster", "registry"]
    task: TaskId
    life: Place


TaskKey: TypeAlias = ManagedId | ReportedId
"""Name one life of one task. It also names that life's only terminal notification."""


def lane_of(key: TaskKey) -> str:
    """Return the sequence in which ``key`` has its place, one low-water mark each."""
    match key:
        case ManagedId(incarnation=incarnation):
            return f"managed/{incarnation}"
        case ReportedId(owner=owner):
            return owner
        case _:
            assert_never(key)


def place_of(key: TaskKey) -> int:
    """Return the place of ``key`` in its lane; places are dense and start at 1."""
    match key:
        case ManagedId(counter=counter):
            return counter
        case ReportedId(life=life):
            return life
        case _:
            assert_never(key)


def name_of(key: TaskKey) -> str:
    """Return the short name a person sees: the harness's own, or ``s<counter>``."""
    match key:
        case ManagedId(counter=counter):
            return f"s{counter}"
        case ReportedId(task=task):
            return task
        case _:
            assert_never(key)
