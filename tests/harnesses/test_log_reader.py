"""A log is read as it grows: each whole row once, whatever happens to the file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.harnesses.log_reader import LogReader
from gapless.harnesses.payload import Unreadable
from gapless.harnesses.status_reader import LARGEST, read_status_file
from gapless.typings.outcome import Failure, Outcome, Success


def values(rows: tuple[Outcome[object, Unreadable], ...]) -> list[object]:
    return [row.unwrap() if isinstance(row, Success) else row.failure().path for row in rows]


def append(path: Path, text: bytes) -> None:
    with path.open("ab") as file:
        file.write(text)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_what_stands_in_a_log_is_history(log: Path) -> None:
    append(log, b'{"n": 1}\n{"n": 2}\n')
    reader = LogReader(log)
    append(log, b'{"n": 3}\n')
    assert values(reader.read()) == [{"n": 3}]


def test_from_its_beginning_it_is_read_whole(log: Path) -> None:
    append(log, b'{"n": 1}\n{"n": 2}\n')
    assert values(LogReader(log, from_beginning=True).read()) == [{"n": 1}, {"n": 2}]


def test_a_log_that_appears_later_is_read_from_its_beginning(log: Path) -> None:
    reader = LogReader(log)
    assert reader.read() == ()
    append(log, b'{"n": 1}\n')
    assert values(reader.read()) == [{"n": 1}]


def test_a_torn_row_is_read_once_it_is_whole(log: Path) -> None:
    reader = LogReader(log)
    append(log, b'{"type":"assis')
    assert reader.read() == ()
    append(log, b'tant"}\n')
    assert values(reader.read()) == [{"type": "assistant"}]


def test_a_torn_row_at_the_beginning_of_the_watch_is_not_lost(log: Path) -> None:
    append(log, b'{"n": 1}\n{"n":')
    reader = LogReader(log)
    append(log, b" 2}\n")
    assert values(reader.read()) == [{"n": 2}]


def test_a_row_of_megabytes_is_passed_over(log: Path) -> None:
    reader = LogReader(log, longest=1 << 20)
    append(log, b'{"text": "' + b"x" * (3 << 20))
    assert reader.read() == ()
    append(log, b"x" * (3 << 20) + b'"}\n{"n": 2}\n')
    assert values(reader.read()) == ["byte 0", {"n": 2}]


def test_a_bad_byte_costs_its_row_alone(log: Path) -> None:
    reader = LogReader(log)
    append(log, b'{"n": 1}\n{"n": "\xff"}\n{"n": 3}\n')
    assert values(reader.read()) == [{"n": 1}, "byte 9", {"n": 3}]


@pytest.mark.parametrize("text", [b'"\\ud83d"', b"1e999", b'["\\udc00", -1e999]'])
def test_what_javascript_writes_is_read(log: Path, text: bytes) -> None:
    reader = LogReader(log)
    append(log, b'{"n": 1, "text": ' + text + b"}\n")
    (row,) = reader.read()
    assert isinstance(row, Success)


def test_a_file_that_is_shortened_while_a_long_row_is_passed_over_is_read_anew(log: Path) -> None:
    reader = LogReader(log, longest=1 << 20)
    append(log, b'{"n": 1}\n"' + b"x" * (8 << 20))
    while reader.read():
        pass
    os.truncate(log, 9)
    append(log, b'{"n": 2}\n')
    assert values(reader.read()) == [{"n": 1}, {"n": 2}]


def test_a_line_separator_is_a_character_of_a_text(log: Path) -> None:
    reader = LogReader(log)
    text = "one\u2028two\u2029three\x85"
    append(log, json.dumps({"text": text}, ensure_ascii=False).encode() + b"\r\n\n")
    assert values(reader.read()) == [{"text": text}]


def test_a_file_that_takes_its_place_is_read_from_its_beginning(log: Path) -> None:
    append(log, b'{"n": 1}\n')
    reader = LogReader(log)
    other = log.with_suffix(".new")
    append(other, b'{"n": 10}\n{"n": 11}\n')
    other.replace(log)
    assert values(reader.read()) == [{"n": 10}, {"n": 11}]


@pytest.mark.parametrize("content", [b'{"n": 7}\n', b'{"n": 7, "and": "more than there was"}\n'])
def test_a_file_that_was_rewritten_in_place_is_read_from_its_beginning(
    log: Path, content: bytes
) -> None:
    append(log, b'{"n": 1}\n{"n": 2}\n')
    reader = LogReader(log)
    log.write_bytes(content)
    assert [value for value in values(reader.read()) if isinstance(value, dict)] != []


def test_a_log_that_is_gone_says_nothing_and_is_known_when_it_is_back(log: Path) -> None:
    append(log, b'{"n": 1}\n')
    reader = LogReader(log)
    away = log.with_suffix(".away")
    log.rename(away)
    assert reader.read() == ()
    append(away, b'{"n": 2}\n')
    away.rename(log)
    assert values(reader.read()) == [{"n": 2}]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_not_waited_for(log: Path, make: Callable[[Path], None]) -> None:
    make(log)
    assert LogReader(log).read() == ()


def test_many_megabytes_come_in_several_readings(log: Path) -> None:
    reader = LogReader(log)
    row = b'{"text": "' + b"y" * 1000 + b'"}\n'
    append(log, row * 10_000)
    counts: list[int] = []
    while rows := reader.read():
        counts.append(len(rows))
    assert sum(counts) == 10_000
    assert len(counts) > 1


@given(
    st.lists(st.integers(0, 99) | st.text(max_size=5), max_size=8),
    st.lists(st.integers(0, 60), max_size=12),
)
def test_wherever_the_writer_is_interrupted_each_row_is_read_once(
    tmp_path_factory: pytest.TempPathFactory, rows: list[object], cuts: list[int]
) -> None:
    log = tmp_path_factory.mktemp("log") / "log.jsonl"
    whole = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
    reader, read = LogReader(log), list[object]()
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    for start, end in pairwise(places):
        append(log, whole[start:end])
        read.extend(values(reader.read()))
    assert read == rows


def test_a_status_file_is_its_content(tmp_path: Path) -> None:
    path = tmp_path / "41.json"
    path.write_text('{"status": "idle"}')
    assert read_status_file(path) == Success({"status": "idle"})


def test_without_a_status_file_there_is_none(tmp_path: Path) -> None:
    assert read_status_file(tmp_path / "41.json") == Success(None)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_status_file_is_not_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "41.json")
    assert read_status_file(tmp_path / "41.json") == Success(None)


@pytest.mark.parametrize("content", [b'{"status": "id', b"\xff", b"", b" " * (LARGEST + 1)])
def test_a_status_file_that_is_being_written_is_unreadable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "41.json"
    path.write_bytes(content)
    assert isinstance(read_status_file(path), Failure)
