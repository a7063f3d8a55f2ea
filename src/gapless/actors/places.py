"""Which places of a lane are over: a low-water mark, and the places above it that are over too.

The mark alone would do if tasks ended in the order in which they started. They do not: one dev
server that outlives a thousand builds would keep the mark down and all of them remembered.
Places above the mark cost an integer each until it reaches them.
"""

from __future__ import annotations

from typing import Final, final

from msgspec import Struct


@final
class Places(Struct, frozen=True, kw_only=True):
    """A set of places, counted from 1, that is nearly all of the first ones."""

    mark: int = 0
    above: frozenset[int] = frozenset()

    def __contains__(self, place: int) -> bool:
        return place <= self.mark or place in self.above

    def __or__(self, other: Places) -> Places:
        """Return the places of both."""
        mark, above = max(self.mark, other.mark), self.above | other.above
        while mark + 1 in above:
            mark += 1
        return Places(mark=mark, above=frozenset(it for it in above if it > mark))


NO_PLACES: Final = Places()


def places(*them: int) -> Places:
    """Return exactly these places."""
    return NO_PLACES | Places(above=frozenset(them))
