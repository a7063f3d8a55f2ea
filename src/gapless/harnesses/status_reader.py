"""Read a session's status file: small, rewritten by another process, perhaps just now."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from gapless.harnesses.payload import Unreadable
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
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Success(None)
    if len(content) > LARGEST:
        return Failure(Unreadable(path="$", reason=f"more than {LARGEST:,} bytes"))
    try:
        return Success(msgspec.json.decode(content))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Failure(Unreadable(path="$", reason=str(error)))
