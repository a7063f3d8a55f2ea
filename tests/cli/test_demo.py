"""The demonstration, as a person or a program runs it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterable

import pytest

from gapless.typings.view import SessionView
from tests.shells.kit import children

DEMO = [sys.executable, "-W", "error", "-m", "gapless.cli", "demo", "--pace", "0.05"]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*DEMO, *options], check=False, capture_output=True, text=True)


def in_order(text: str, parts: Iterable[str]) -> bool:
    place = 0
    for part in parts:
        place = text.find(part, place)
        if place < 0:
            raise AssertionError(part)
    return True


def test_it_tells_the_whole_story_and_ends_well() -> None:
    done = run("--plain")
    assert done.returncode == 0, done.stderr
    assert in_order(
        done.stdout,
        [
            "working (lead-turn)",
            "waiting (permission)",
            "The person says yes.",
            "No. Closing it now would lose",
            "is being heard",
            "done (shells run on); close: held by shell: background-shells",
            "No. Closing it now would lose shell: background-shells.",
            "Yes.",
            "ended; close: closable",
            "What the session did, what held it, and why",
        ],
    )
    assert "s2 shell failed" in done.stdout
    assert "s1 shell completed" in done.stdout


def test_its_timeline_says_what_each_spell_rests_on() -> None:
    text = run("--plain").stdout
    story = text[text.index("What the session did") :]
    assert in_order(story, ["shell: background-shells would be lost (effect ", "done (shells run"])


def test_for_programs_each_view_is_a_line_of_json() -> None:
    done = run("--json")
    views = [json.loads(line) for line in done.stdout.splitlines()]
    assert [view["upto"] for view in views] == list(range(len(views)))
    assert set(views[0]) >= set(SessionView.__struct_fields__)
    assert views[-1]["state"] == {"type": "ended", "cause": "closed"}


def test_on_a_terminal_it_is_a_table_and_the_cursor_comes_back() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(DEMO, stdout=theirs, stderr=theirs, stdin=theirs) as demo:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65_536)
            except OSError:  # how Linux says that nobody writes any more
                break
            seen += piece
        os.close(ours)
    assert demo.returncode == 0
    assert seen.count(b"\x1b[?25l") == seen.count(b"\x1b[?25h") == 1
    assert b"close?" in seen


def test_it_leaves_no_process_behind() -> None:
    before = children()
    run("--plain")
    assert children() == before


@pytest.mark.parametrize("options", [["--pace", "0"], ["--pase", "1"]])
def test_what_makes_no_sense_is_refused_with_a_hint(options: list[str]) -> None:
    done = run(*options)
    assert done.returncode == 2
    assert "--pa" in done.stderr


def test_without_its_library_it_says_what_to_install() -> None:
    program = """
import sys
sys.modules["click"] = None
from gapless.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "gapless[cli]" in done.stderr


def test_whoever_stops_reading_is_shown_no_traceback() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*DEMO, "--plain"], stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()


def test_an_interrupt_at_a_terminal_is_told_to_nobody_else() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*DEMO, "--plain"], stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        while "permission" not in process.stdout.readline():
            pass  # until its lead is at work
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: the whole group
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "")
