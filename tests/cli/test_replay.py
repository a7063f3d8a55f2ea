"""``gapless replay``, as a person or a program runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

OWN = Path(__file__).parents[1] / "recordings" / "claude"
GOOD = OWN / "a-turn-from-start-to-end.jsonl"


def replay(*words: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "gapless.cli", "replay", *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, input=given)


WRONG = '{"at_ms": 0, "session": "s", "host": {"did": "interrupt"}, "expect": {"close": 1}}'


def test_a_table_has_a_row_a_line() -> None:
    done = replay(GOOD)
    assert (done.returncode, done.stderr) == (0, "")
    assert [row.split()[0] for row in done.stdout.splitlines()[3:]] == list("234567")
    assert "working lead-turn" in done.stdout


def test_why_says_what_each_answer_rests_on() -> None:
    assert "the lead's turn is open (hook 2)" in replay("--why", GOOD).stdout


def test_json_has_an_object_a_line() -> None:
    rows = [json.loads(it) for it in replay("--json", GOOD).stdout.splitlines()]
    assert [(it["line"], it["state"]) for it in rows[:2]] == [(2, "done"), (3, "working")]
    assert rows[-1]["edges"] == []


def test_a_timeline_says_how_long_it_was_what() -> None:
    told = replay("--timeline", GOOD).stdout
    assert "1.0 to   3.0   working (lead-turn)" in told


def test_check_is_content_with_what_is_as_expected() -> None:
    done = replay("--check", *sorted(OWN.glob("a-c*.jsonl")))
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("lines: no differences\n")


def test_check_prints_a_difference_with_its_evidence() -> None:
    done = replay("--check", "-", given=WRONG)
    assert done.returncode == 1
    assert 'standard input:1: close: expected 1, is "undetermined"' in done.stdout
    assert "lead was not heard" in done.stdout


def test_check_in_json_is_for_programs() -> None:
    done = replay("--check", "--json", "-", given=WRONG)
    row = json.loads(done.stdout)
    assert (done.returncode, row["line"], row["differences"][0]["member"]) == (1, 1, "close")


def test_check_minds_what_is_not_understood_and_a_table_warns_of_it() -> None:
    text = '{"at_ms": 0, "session": "s", "hoook": {}}'
    checked, shown = replay("--check", "-", given=text), replay("-", given=text)
    assert (checked.returncode, shown.returncode) == (1, 0)
    assert "unknown field `hoook`" in checked.stdout
    assert "unknown field `hoook`" in shown.stdout


@pytest.mark.parametrize(
    ("text", "where"),
    [("{", "line 1: Input data was truncated"), ('{"at_ms":9}\n{"at_ms":5}', "line 2: the clock")],
)
def test_a_file_that_cannot_be_read_says_where(text: str, where: str) -> None:
    done = replay("-", given=text)
    assert done.returncode == 2
    assert where in done.stderr


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    done = replay(tmp_path / "none.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such file" in done.stderr


def test_a_speed_lets_it_take_its_time() -> None:
    done = replay("--speed", "1000", GOOD)
    assert done.returncode == 0


@pytest.mark.parametrize("speed", ["nan", "inf", "0", "-1", "1e-300", "soon"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    done = replay("--speed", speed, GOOD)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--speed" in done.stderr


def test_the_end_of_a_turn_is_announced_where_that_is_asked_for() -> None:
    assert "turn-over" not in replay(GOOD).stdout
    assert "turn-over" in replay("--json", "--turn-over", GOOD).stdout


def test_names_of_a_recording_steer_no_terminal() -> None:
    hook = {"hook_event_name": "\x1b[31mEvil\nName"}
    text = json.dumps({"at_ms": 0, "session": "s", "harness": "claude", "hook": hook})
    for option in ("--why", "--timeline", "--check"):
        done = replay(option, "-", given=text)
        assert "\x1b" not in done.stdout
        assert "Evil\n" not in done.stdout


def test_half_a_character_of_a_prompt_spoils_no_recording() -> None:
    hook = {"hook_event_name": "UserPromptSubmit", "prompt": "cut \ud83d"}
    row = {"at_ms": 0, "session": "s", "harness": "claude", "hook": hook}
    done = replay("--check", "-", given=json.dumps({**row, "expect": {"state": "working"}}))
    assert (done.returncode, done.stdout) == (0, "1 recording, 1 line: no differences\n")


def ended(command: str) -> subprocess.CompletedProcess[str]:
    """Run it in a shell; ``replay`` and ``GOOD`` stand for what they are here."""
    python = f"{sys.executable} -W error -m gapless.cli replay"
    command = command.replace("replay", python).replace("GOOD", str(GOOD))
    return subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("replay - <&-", "standard input: it is closed"),
        ("replay GOOD >/dev/full", "No space left on device"),
        ("replay --check GOOD >/dev/full", "No space left on device"),
    ],
)
def test_what_cannot_be_read_or_written_is_said_in_a_line(command: str, said: str) -> None:
    done = ended(command)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_ends_it_as_a_pipe_does() -> None:
    done = ended("replay GOOD GOOD GOOD | head -1 >/dev/null; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) in {(141, ""), (0, "")}
