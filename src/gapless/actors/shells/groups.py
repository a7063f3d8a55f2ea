"""Which process groups have somebody in them who still runs."""

from __future__ import annotations

import os

from gapless.actors.shells.identity import read_stat


def groups_that_live() -> frozenset[int]:
    """Return the groups with a member that is no zombie, from one pass over ``/proc``.

    Raises:
        OSError: ``/proc`` cannot be listed.

    """
    groups: set[int] = set()
    for entry in os.listdir("/proc"):  # noqa: PTH208 - names are all that is wanted
        if not entry.isdecimal():
            continue
        try:
            stat = read_stat(int(entry))
        except (OSError, ValueError):  # it ended meanwhile
            continue
        if stat.state not in {"Z", "X"}:
            groups.add(stat.group)
    return frozenset(groups)
