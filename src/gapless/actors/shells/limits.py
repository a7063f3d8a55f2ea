"""How many descriptors there are: one a shell that runs, and a few while it starts."""

from __future__ import annotations

import resource
from contextlib import suppress
from typing import NamedTuple

from gapless.typings.spawning import NoDescriptors


class Limit(NamedTuple):
    """A soft and a hard limit, as the system counts them; -1 is none."""

    soft: int
    hard: int


def raise_descriptor_limit() -> Limit:
    """Raise this process's soft limit to its hard one, where permitted; return what it was."""
    before = descriptor_limit()
    with suppress(OSError, ValueError):  # it stays what it is
        resource.setrlimit(resource.RLIMIT_NOFILE, (before.hard, before.hard))
    return before


def descriptor_limit() -> Limit:
    """Return how many descriptors this process may have."""
    return Limit(*resource.getrlimit(resource.RLIMIT_NOFILE))


def no_descriptors() -> NoDescriptors:
    """Say that none is left of them."""
    return NoDescriptors(limit=descriptor_limit().soft)


def limit_descriptors_of(pid: int, limit: Limit) -> None:
    """Give a child the limit that this process had, if it still runs.

    Some programs close every descriptor up to the limit one by one, and take seconds for a million.
    """
    if limit != descriptor_limit():
        with suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limit)
