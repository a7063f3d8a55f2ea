"""Remember the latest finished ids, so that a late or repeated event is told from a new one.

Bounded: an id that was forgotten counts as new. Conversations are remembered sixteen times as
long as the rest, because taking a late event of one for a new one voids what the session runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


def remember(seen: Mapping[Key, Item], key: Key, item: Item, limit: int) -> Mapping[Key, Item]:
    """Return ``seen`` with ``key`` as its latest; the oldest go where there are over ``limit``."""
    out = dict(seen)
    out.pop(key, None)
    out[key] = item
    while len(out) > limit:
        del out[next(iter(out))]
    return out


def without(seen: Mapping[Key, Item], key: Key) -> Mapping[Key, Item]:
    """Return ``seen`` without ``key``."""
    return {it: item for it, item in seen.items() if it != key}
