"""What a line of a recording comes to: an answer, and where it is not the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, cast, final

import msgspec
from msgspec import Struct

from gapless.typings.edges import EdgeKind
from gapless.typings.ids import InputNumber
from gapless.typings.reading import Reading
from gapless.typings.why import Claim


@final
class Difference(Struct, frozen=True, kw_only=True):
    """One member of ``expect`` to which the answer is another one."""

    member: str
    expected: object
    actual: object


@final
class Answered(Struct, frozen=True, kw_only=True):
    """A line that was played.

    ``answer`` is the session in words; a line of no session has none. ``edges`` are the notices
    since its last line, ``upto`` its version, ``because`` why the answer is what it is. ``trouble``
    says what of the line was not understood.
    """

    at_ms: int
    session: str | None
    said: str
    answer: Reading | None
    edges: tuple[EdgeKind, ...]
    upto: InputNumber
    trouble: tuple[str, ...] = ()
    because: tuple[Claim, ...] = ()
    differences: tuple[Difference, ...] = ()


Expected: TypeAlias = dict[str, object]


def members(answer: Reading | None, edges: tuple[EdgeKind, ...]) -> dict[str, object]:
    """Return what a line can expect, and a program reads: the answer's members, and the edges."""
    if answer is None:
        return {}
    told: dict[str, object] = msgspec.to_builtins(answer)
    return {**told, "edges": list(edges)}


def compare(actual: dict[str, object], expected: Expected) -> tuple[Difference, ...]:
    """Return where the answer is not what a line expects; what is not answered differs, too."""
    return tuple(
        Difference(member=name, expected=wanted, actual=actual.get(name, UNANSWERED))
        for name, wanted in expected.items()
        if name not in actual or _plain(actual[name]) != _plain(wanted)
    )


UNANSWERED: Final = "(no answer)"


def _plain(value: object) -> object:
    """Return lists for tuples, so that what came from JSON can be compared."""
    if isinstance(value, list | tuple):
        return [_plain(it) for it in cast("Sequence[object]", value)]  # its items are looked at
    return value
