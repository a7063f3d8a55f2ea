"""Name a running process so that a reused pid is never taken for it.

Two rules of reading ``/proc/PID/stat``: the name ends at the *last* closing bracket, for a process
may call itself anything; and field 22, the start in clock ticks since boot, is what tells two
processes of one pid apart, with a grain of 10 ms. Where pidfds have a file system of their own
(Linux 6.9), the inode of a pidfd is never used twice, and settles it.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from gapless.typings.processes import ProcessIdentity

_PIDFS_SINCE: Final = (6, 9)


class Stat(NamedTuple):
    """What ``/proc/PID/stat`` says that is needed here."""

    state: str
    group: int
    start_ticks: int


def read_stat(pid: int) -> Stat:
    """Read the state, process group and start of a process.

    Raises:
        OSError: there is no such process, or no descriptor to read with.

    """
    text = Path(f"/proc/{pid}/stat").read_bytes()
    fields = text[text.rindex(b")") + 2 :].split()
    return Stat(state=fields[0].decode(), group=int(fields[2]), start_ticks=int(fields[19]))


def identify(pid: int) -> ProcessIdentity:
    """Name a process that is not reaped yet, as far as that goes without a pidfd.

    Raises:
        OSError: there is no such process, or no descriptor to read with.

    """
    return ProcessIdentity(boot=boot_id(), pid=pid, start_ticks=read_stat(pid).start_ticks)


def inode_of(pidfd: int) -> int | None:
    """Return what no other process's pidfd ever has, where the system gives such a thing."""
    return os.fstat(pidfd).st_ino if _inodes_are_unique() else None


@cache
def boot_id() -> str:
    """Return the name of this boot of this machine.

    Raises:
        OSError: it cannot be read.

    """
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


@cache
def _inodes_are_unique() -> bool:
    """Whether pidfds are on pidfs; before, they all shared one anonymous inode."""
    numbers = os.uname().release.split("-", maxsplit=1)[0].split(".")
    try:
        return tuple(int(it) for it in numbers[:2]) >= _PIDFS_SINCE
    except ValueError:
        return False
