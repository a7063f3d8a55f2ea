"""Read what a shell has written: by offset or the tail of it, never splitting a character.

Offsets are bytes of the file. What is no UTF-8 reads as U+FFFD, and costs nobody the rest. A
character that is not written whole yet is left for the next reading, unless nobody will finish it.
"""

from __future__ import annotations

import codecs
import os
from typing import BinaryIO, Final

from gapless.typings.shells import Output

MOST_BYTES: Final = 1 << 20
"""The most that one reading returns, in bytes; a log may be gigabytes."""

_CONTINUES: Final = range(0x80, 0xC0)
"""The bytes of a character in UTF-8 after its first; there are at most three."""


def read_output(log: BinaryIO, offset: int, most_bytes: int, *, gone: bool) -> Output:
    """Read on from ``offset``, at most so many bytes; ``gone``: its process is.

    Raises:
        OSError: it cannot be read.
        ValueError: ``offset`` or ``most_bytes`` is out of bounds.

    """
    _refuse(offset, most_bytes)
    size = log.seek(0, os.SEEK_END)
    data = b""
    if offset < size:
        log.seek(offset)
        data = log.read(min(most_bytes, MOST_BYTES))
    return _decoded(data, offset, size, gone=gone)


def read_tail(log: BinaryIO, most_bytes: int, *, gone: bool) -> Output:
    """Read the last ``most_bytes``, from the first character that begins there.

    Raises:
        OSError: it cannot be read.
        ValueError: ``most_bytes`` is out of bounds.

    """
    _refuse(0, most_bytes)
    size = log.seek(0, os.SEEK_END)
    offset = log.seek(max(0, size - min(most_bytes, MOST_BYTES)))
    data = log.read(size - offset)
    cut = 0
    while offset and cut < min(3, len(data)) and data[cut] in _CONTINUES:
        cut += 1
    return _decoded(data[cut:], offset + cut, size, gone=gone)


def _refuse(offset: int, most_bytes: int) -> None:
    if offset < 0 or most_bytes < 4:  # noqa: PLR2004 - the longest character, else it never goes on
        msg = f"read from 0 on and 4 bytes or more, not {most_bytes} from {offset}"
        raise ValueError(msg)


def _decoded(data: bytes, offset: int, size: int, *, gone: bool) -> Output:
    """Return the text of a piece; what was written since ``size`` was read counts as well."""
    size = max(size, offset + len(data)) if data else size
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    last = gone and offset + len(data) >= size
    text = decoder.decode(data, final=last)
    following = offset + len(data) - len(decoder.getstate()[0])
    over = gone and following >= size
    return Output(text=text, offset=offset, next_offset=following, size_bytes=size, over=over)
