"""Read recordings from files and standard input, line by line, and play them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, NamedTuple

from gapless.recordings import Answered, Header, Line, NotUnderstood, Player, parse
from gapless.recordings.lines import LONGEST_LINE
from gapless.typings.outcome import Failure, Success


class BrokenFileError(Exception):
    """A recording that cannot be read: which, where in it, and why."""

    def __init__(self, where: str, why: object) -> None:
        super().__init__(f"{where}: {why}")


class Played(NamedTuple):
    """A line that was played: its number, and what it came to."""

    number: int
    answered: Answered


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """Open a recording; ``-`` is standard input.

    Raises:
        BrokenFileError: it cannot be opened.

    """
    if name == "-":
        if sys.stdin is None:
            where, why = "standard input", "it is closed"
            raise BrokenFileError(where, why)
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise BrokenFileError(name, error.strerror or error) from error


def play(
    name: str, file: BinaryIO, player: Player, wait_until: Callable[[int], object]
) -> Iterator[Header | Played]:
    """Play a recording; ``wait_until`` is called with the time of each line, before it happens.

    Raises:
        BrokenFileError: a line without which the rest means nothing.

    """
    for number, line in enumerate(_lines(name, file), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        match parse(line, first=number == 1):
            case Success(found):
                if isinstance(found, Header):
                    yield found
                    continue
                wait_until(found.at_ms)
                yield Played(number, _played(where, player, found))
            case Failure(broken):
                raise BrokenFileError(where, broken.reason)


def _played(where: str, player: Player, line: Line | NotUnderstood) -> Answered:
    try:
        return player.play(line)
    except ValueError as error:
        raise BrokenFileError(where, error) from error


def _lines(name: str, file: BinaryIO) -> Iterable[bytes]:
    """Return the lines; of one that is too long so much as shows that it is."""
    while True:
        try:
            line = file.readline(LONGEST_LINE + 2)
        except OSError as error:
            raise BrokenFileError(name, error.strerror or error) from error
        if not line:
            return
        yield line
