"""Read a session's status file: small, rewritten by another process, perhaps just now."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from gapless.harnesses.payload import Unreadable, decoded
from gapless.typings.outcome import Failure, Outcome, Success

LARGEST: Final = 1 << 16
"""How large the file may be, in bytes; those of Claude Code have some hundred."""


def read_status_file(path: Path) -> Outcome[object, Unreadable]:
    """Return the content of a status file, decoded; ``None`` where there is no file.

    A file that is just being written is ``Unreadable``: read it again in a moment.

    Raises:
        OSError: the file is there and cannot be read.

    """
    try:
        # Without waiting: what lies there may be a pipe that nobody writes to.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return Success(None)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return Success(None)
        content = os.read(fd, LARGEST + 1)
    finally:
        os.close(fd)
    if len(content) > LARGEST:
        return Failure(Unreadable(path="$", reason=f"more than {LARGEST:,} bytes"))
    try:
        return Success(decoded(content))
    except ValueError as error:
        return Failure(Unreadable(path="$", reason=str(error)))
