"""Where the output of shells goes: one file each, 0600, in a folder that is 0700."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final, final

_MODE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]")


class LogFolderError(ValueError):
    """The folder for logs is open to others, or somebody else's."""


@final
class LogFolder:
    """A folder of logs: the host's own, which stays, or a temporary one, which is removed."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Make the folder, or look whether it is safe.

        Raises:
            LogFolderError: it is not this user's, or others may enter it.
            OSError: it cannot be made.

        """
        self.temporary: Final = folder is None
        self._run: Final = secrets.token_hex(4)
        self.path: Final[Path] = (
            Path(tempfile.mkdtemp(prefix="gapless-")) if folder is None else _private(Path(folder))
        )

    def file(self, session: str, opening: int, shell: str) -> Path:
        """Return where the output of a shell goes; a session's name may hold anything.

        No other run of a host has this name, for a folder that stays holds the logs of many.
        """
        return self.path / f"{_UNSAFE.sub('_', session)[:40]}.{self._run}.{opening}.{shell}.log"

    def remove(self) -> None:
        """Remove the folder with all logs, if it is a temporary one."""
        if self.temporary:
            shutil.rmtree(self.path, ignore_errors=True)


def _private(folder: Path) -> Path:
    folder = folder.absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
        msg = f"logs may hold secrets, and others can reach {folder}: chmod 700 it"
        raise LogFolderError(msg)
    return folder


def open_log(path: Path) -> int:
    """Make a log and open it for writing; what writes to it appends.

    A folder that is gone is made anew: there are programs that tidy temporary folders up.

    Raises:
        LogFolderError: the folder is not this user's any more.
        OSError: it cannot be made.

    """
    try:
        return os.open(path, _MODE, 0o600)
    except FileNotFoundError:
        _private(path.parent)
        return os.open(path, _MODE, 0o600)
