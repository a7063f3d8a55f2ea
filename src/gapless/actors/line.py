"""The inputs that wait for their number: a queue that is a value.

It is part of a state that is committed whole or not at all, so nothing in it changes: two linked
lists, one of them reversed, make putting and taking O(1) on average. Of a sample only the latest of
its kind waits, at the place of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, final

import msgspec
from msgspec import Struct

from gapless.messages.inputs import CpuSampled, Input, PaneCaptured, ShellGrew
from gapless.messages.session import Take

SampleKind: TypeAlias = tuple[str, object]
"""What a sample replaces: the type it has, and whom it is about."""


def sample_kind(what: Input) -> SampleKind | None:
    """Return what this input replaces while it waits; ``None``: nothing, it is no sample."""
    match what:
        case PaneCaptured() | CpuSampled():
            return (type(what).__name__, None)
        case ShellGrew(shell=shell):
            return (type(what).__name__, shell)
        case _:
            return None


class _Cell(NamedTuple):
    item: Take | SampleKind
    rest: _Cell | None


@final
class Line(Struct, frozen=True, kw_only=True):
    """What waits, first come first served; what the session wants itself goes to the front."""

    front: _Cell | None = None
    back: _Cell | None = None
    samples: Mapping[SampleKind, Take] = {}

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return self.front is not None or self.back is not None

    def put(self, take: Take) -> Line:
        """Return the line with one more at its end."""
        kind = sample_kind(take.what)
        if kind is None:
            return msgspec.structs.replace(self, back=_Cell(take, self.back))
        samples = {**self.samples, kind: take}
        back = self.back if kind in self.samples else _Cell(kind, self.back)
        return Line(front=self.front, back=back, samples=samples)

    def put_first(self, takes: tuple[Take, ...]) -> Line:
        """Return the line with these before all others, in their order."""
        front = self.front
        for take in reversed(takes):
            front = _Cell(take, front)
        return msgspec.structs.replace(self, front=front)

    def take(self) -> tuple[Take, Line]:
        """Return the first and the line without it.

        Raises:
            IndexError: nothing waits.

        """
        front, back = self.front, self.back
        if front is None:
            while back is not None:
                front, back = _Cell(back.item, front), back.rest
        if front is None:
            msg = "nothing waits"
            raise IndexError(msg)
        item, rest = front
        if isinstance(item, Take):
            return item, Line(front=rest, back=back, samples=self.samples)
        samples = {kind: it for kind, it in self.samples.items() if kind != item}
        return self.samples[item], Line(front=rest, back=back, samples=samples)
