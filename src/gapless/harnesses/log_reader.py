"""Read the rows that are appended to a session's log, each once.

The writer is another process, and nobody is asked: what is read may end in the middle of a row,
the file may be replaced by another one, shortened, or gone. So a row is what a newline ends (and
nothing else: U+2028 is a character of a text), the offset moves past whole rows only, and a file
is known by its device, its inode and the last bytes that were read of it. A row of many megabytes
is passed over without being held; what is no JSON costs that row alone.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, final

from gapless.harnesses.payload import Unreadable, decoded
from gapless.typings.outcome import Failure, Outcome, Success

LONGEST_ROW: Final = 8 << 20
"""How long a row may be, in bytes, to be read. Our choice: rows of 3 MiB were reported."""

MOST_AT_ONCE: Final = 4 << 20
"""About how many bytes one reading takes in; the next goes on from there."""

_CHUNK: Final = 1 << 18
_KNOWN_BY: Final = 64


@final
class LogReader:
    """One log, and how far it was read.

    A log that is there already is read from its end: what stands in it is history. One that
    appears later, or takes the place of another, is read from its beginning.
    """

    def __init__(
        self, path: Path, *, from_beginning: bool = False, longest: int = LONGEST_ROW
    ) -> None:
        """Take note of the log at ``path``, which need not exist; ``longest`` is in bytes."""
        self.path: Final = path
        self._longest = longest
        self._file: tuple[int, int] | None = None
        self._offset = 0
        self._seen = b""  # the last bytes before the offset
        self._skipping = 0  # how much of a row that is too long was passed over
        if not from_beginning:
            self._begin_at_end()

    def read(self) -> tuple[Outcome[object, Unreadable], ...]:
        """Return the rows since the last reading, decoded; ``Unreadable`` for what is none.

        Empty where nothing came, or where there is no file: that says nothing of the session. An
        ``Unreadable``'s path is the byte where its row begins.

        Raises:
            OSError: the file is there and cannot be read.

        """
        with _Opened(self.path) as opened:
            if opened.file is None:
                return ()
            self._recognise(opened)
            return tuple(self._rows(opened))

    def _begin_at_end(self) -> None:
        with _Opened(self.path) as opened:
            if opened.file is None:
                return
            self._file = opened.file
            end = opened.size
            while end:  # at the end of the last whole row, however long what follows it is
                start = max(0, end - _CHUNK)
                found = opened.at(start, end - start).rfind(b"\n")
                if found >= 0:
                    self._move(opened, start + found + 1)
                    return
                end = start

    def _recognise(self, opened: _Opened) -> None:
        """Begin anew if this is another file, or no longer begins with what was read of it."""
        known = opened.at(self._offset - len(self._seen), len(self._seen))
        whole = opened.size >= self._offset + self._skipping
        if opened.file == self._file and whole and known == self._seen:
            return
        self._file = opened.file
        self._offset, self._seen, self._skipping = 0, b"", 0

    def _rows(self, opened: _Opened) -> list[Outcome[object, Unreadable]]:
        rows: list[Outcome[object, Unreadable]] = []
        most, taken, kept = MOST_AT_ONCE, 0, b""
        at = self._offset + self._skipping
        while taken < most or (kept and not rows):
            chunk = opened.at(at, _CHUNK)
            at += len(chunk)
            taken += len(chunk)
            if not chunk:
                break
            first, *others = chunk.split(b"\n")
            kept += first
            for following in others:
                rows.extend(self._row(kept))
                kept = following
            if self._skipping or len(kept) > self._longest:
                self._skipping += len(kept)
                kept = b""
        self._move(opened, self._offset)
        return rows

    def _row(self, row: bytes) -> list[Outcome[object, Unreadable]]:
        """Take a whole row, without its newline."""
        begins, length = self._offset, self._skipping + len(row)
        self._offset, self._skipping = begins + length + 1, 0
        if length > self._longest:
            reason = f"a row of {length:,} bytes; {self._longest:,} at most are read"
            return [Failure(Unreadable(path=f"byte {begins}", reason=reason))]
        if not row.strip():
            return []
        try:
            return [Success(decoded(row))]
        except ValueError as error:
            return [Failure(Unreadable(path=f"byte {begins}", reason=str(error)))]

    def _move(self, opened: _Opened, offset: int) -> None:
        """Note how far it was read, and what stands before that."""
        self._offset = offset
        self._seen = opened.at(max(0, offset - _KNOWN_BY), min(offset, _KNOWN_BY))


@final
class _Opened:
    """A file for one reading; ``file`` is its device and inode, ``None`` if there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1
        self.file: tuple[int, int] | None = None
        self.size = 0

    def __enter__(self) -> _Opened:
        try:
            # Without waiting: what lies there may be a pipe that nobody writes to.
            self._fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return self
        about = os.fstat(self._fd)
        if stat.S_ISREG(about.st_mode):
            self.file, self.size = (about.st_dev, about.st_ino), about.st_size
        return self

    def __exit__(self, *raised: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def at(self, offset: int, most: int) -> bytes:
        """Return what stands there, as much as there is."""
        return os.pread(self._fd, most, offset) if most > 0 else b""
