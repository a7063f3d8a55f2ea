"""Reading output: whole characters, true sizes, and nothing that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.shells.output import MOST_BYTES, read_output, read_tail
from gapless.typings.outcome import Failure
from gapless.typings.shells import NoSuchShell, Output, Unreadable
from tests.shells.kit import Machine

TEXTS = st.text(st.sampled_from("a\nß€𝄞\0"))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("output") / "log"


def read(log: Path, offset: int, most_bytes: int, *, gone: bool) -> Output:
    with log.open("rb") as file:
        return read_output(file, offset, most_bytes, gone=gone)


def tail_of(log: Path, most_bytes: int, *, gone: bool) -> Output:
    with log.open("rb") as file:
        return read_tail(file, most_bytes, gone=gone)


def read_all(log: Path, most_bytes: int) -> str:
    pieces, offset = list[str](), 0
    while not (piece := read(log, offset, most_bytes, gone=True)).over:
        assert piece.next_offset > offset
        pieces.append(piece.text)
        offset = piece.next_offset
    return "".join((*pieces, piece.text))


@given(text=TEXTS, most=st.integers(4, 9))
def test_pieces_of_any_size_make_up_the_whole(log: Path, text: str, most: int) -> None:
    log.write_text(text, encoding="utf-8", newline="")
    assert read_all(log, most) == text


@given(data=st.binary(), most=st.integers(4, 9))
def test_bytes_that_are_no_text_cost_nobody_the_rest(log: Path, data: bytes, most: int) -> None:
    log.write_bytes(data)
    assert read_all(log, most) == data.decode("utf-8", "replace")


@given(text=TEXTS, most=st.integers(4, 20))
def test_a_tail_is_the_end_of_the_text(log: Path, text: str, most: int) -> None:
    log.write_text(text, encoding="utf-8", newline="")
    tail = tail_of(log, most, gone=True)
    assert text.endswith(tail.text)
    assert len(tail.text.encode()) > min(len(text.encode()), most) - 4
    assert tail.over
    assert tail.next_offset == tail.size_bytes == len(text.encode())


@given(written=st.integers(1, 3))
def test_a_character_not_written_whole_is_left_for_later(log: Path, written: int) -> None:
    log.write_bytes(b"so far " + "𝄞".encode()[:written])
    piece = read(log, 0, 100, gone=False)
    assert (piece.text, piece.next_offset, piece.over) == ("so far ", 7, False)
    log.write_text("so far 𝄞", encoding="utf-8")
    assert read(log, piece.next_offset, 100, gone=False).text == "𝄞"


def test_nobody_will_finish_the_last_character_of_what_is_gone(log: Path) -> None:
    log.write_bytes(b"cut \xf0\x9d")
    piece = read(log, 0, 100, gone=True)
    assert (piece.text, piece.over) == ("cut �", True)


def test_gigabytes_are_read_from_any_place_at_the_cost_of_the_piece(log: Path) -> None:
    log.write_bytes(b"")
    os.truncate(log, 5 << 30)
    with log.open("ab") as file:
        file.write(b"the end")
    assert tail_of(log, 7, gone=True).text == "the end"
    assert read(log, 5 << 30, 100, gone=True).text == "the end"
    huge = read(log, 0, 5 << 30, gone=False)
    assert len(huge.text) == MOST_BYTES
    assert huge.size_bytes == (5 << 30) + 7
    log.write_bytes(b"")


def test_beyond_the_end_there_is_nothing_yet(log: Path) -> None:
    log.write_bytes(b"abc")
    piece = read(log, 10, 100, gone=False)
    assert (piece.text, piece.next_offset, piece.size_bytes) == ("", 10, 3)


@pytest.mark.parametrize(("offset", "most"), [(-1, 100), (0, 3), (0, -1)])
def test_bounds_that_make_no_sense_are_refused(log: Path, offset: int, most: int) -> None:
    log.write_bytes(b"abc")
    with pytest.raises(ValueError, match="4 bytes or more"):
        read(log, offset, most, gone=True)


def test_a_shell_nobody_started_has_no_output(machine: Machine) -> None:
    shell = machine.runner.name()
    assert machine.processes.read(shell, offset=0, most_bytes=100) == Failure(
        NoSuchShell(shell=shell)
    )
    assert machine.processes.tail(shell, most_bytes=100) == Failure(NoSuchShell(shell=shell))


def test_a_log_that_is_gone_cannot_be_read(machine: Machine) -> None:
    shell, _ = machine.runner.run("true")
    for log in machine.table.logs.path.iterdir():
        log.unlink()
    match machine.processes.tail(shell, most_bytes=100):
        case Failure(Unreadable(error=error)):
            assert "FileNotFoundError" in error
        case outcome:
            raise AssertionError(outcome)
