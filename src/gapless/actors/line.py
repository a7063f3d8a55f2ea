"""The inputs that wait for their number: a queue that is a value.

It is part of a state that is committed whole or not at all, so nothing in it changes: two linked
lists, one of them reversed, make putting and taking O(1) on average. Of a sample only the latest of
its kind waits, at the place of the first; whoever called with an earlier one hears what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, final

import msgspec
from msgspec import Struct

from gapless.messages.answers import CallOutcome
from gapless.messages.inputs import CpuSampled, Input, PaneCaptured, ShellGrew
from gapless.messages.session import Caller, Take

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


@final
class _Callers:
    """Who called with a sample, and whoever called with those that it replaced."""

    __slots__ = ("earlier", "latest")

    def __init__(self, latest: Caller, earlier: Caller) -> None:
        self.latest = latest
        self.earlier = earlier

    def __call__(self, outcome: CallOutcome) -> None:
        """Answer all, the first of them first: in a loop, for there may be very many."""
        callers: list[Caller] = []
        caller: Caller = self
        while isinstance(caller, _Callers):
            callers.append(caller.latest)
            caller = caller.earlier
        for each in (caller, *reversed(callers)):
            each(outcome)


def _both(earlier: Caller | None, latest: Caller | None) -> Caller | None:
    if earlier is None or latest is None:
        return earlier or latest
    return _Callers(latest, earlier)


class _Cell(NamedTuple):
    item: Take | SampleKind
    rest: _Cell | None


@final
class Line(Struct, frozen=True, kw_only=True):
    """What waits, first come first served; what the session wants itself goes to the front."""

    front: _Cell | None = None
    back: _Cell | None = None
    samples: Mapping[SampleKind, Take] = {}
    length: int = 0

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return self.length > 0

    def put(self, take: Take) -> Line:
        """Return the line with one more at its end."""
        kind = sample_kind(take.what)
        if kind is None:
            return self._with(_Cell(take, self.back), self.samples)
        replaced = self.samples.get(kind)
        if replaced is None:
            return self._with(_Cell(kind, self.back), {**self.samples, kind: take})
        heard = msgspec.structs.replace(take, caller=_both(replaced.caller, take.caller))
        return msgspec.structs.replace(self, samples={**self.samples, kind: heard})

    def _with(self, back: _Cell, samples: Mapping[SampleKind, Take]) -> Line:
        return Line(front=self.front, back=back, samples=samples, length=self.length + 1)

    def put_first(self, takes: tuple[Take, ...]) -> Line:
        """Return the line with these before all others, in their order."""
        front = self.front
        for take in reversed(takes):
            front = _Cell(take, front)
        return msgspec.structs.replace(self, front=front, length=self.length + len(takes))

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
            return item, self._without(rest, back, self.samples)
        samples = {kind: it for kind, it in self.samples.items() if kind != item}
        return self.samples[item], self._without(rest, back, samples)

    def _without(
        self, front: _Cell | None, back: _Cell | None, samples: Mapping[SampleKind, Take]
    ) -> Line:
        return Line(front=front, back=back, samples=samples, length=self.length - 1)
