"""The threaded orchestrator, run as its reader runs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.kit import PATIENCE_S

EXAMPLE = Path(__file__).parents[2] / "examples" / "orchestrator.py"

pytestmark = pytest.mark.skipif(not EXAMPLE.exists(), reason="no wheel has the examples")


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", EXAMPLE, *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.fixture(scope="module")
def done() -> subprocess.CompletedProcess[str]:
    return run()


def test_it_ends_well_and_without_a_warning(done: subprocess.CompletedProcess[str]) -> None:
    assert (done.returncode, done.stderr) == (0, "")


def test_every_close_is_refused_until_the_result_of_the_shell_was_heard(
    done: subprocess.CompletedProcess[str],
) -> None:
    assert done.stdout.splitlines()[-3:] == [
        "50 sessions closed",
        "50 shells run, each result heard by its agent",
        "50 closes refused first",
    ]


def test_every_line_of_progress_counts_all_sessions(
    done: subprocess.CompletedProcess[str],
) -> None:
    progress, _, _ = done.stdout.partition("\n\n")
    counts = [sum(map(int, re.findall(r"\d+", line))) for line in progress.splitlines()]
    assert set(counts) == {50}


def test_what_the_agent_hears_quotes_the_output_of_its_shell(
    done: subprocess.CompletedProcess[str],
) -> None:
    assert re.search(r"^\| agent \d+ built it$", done.stdout, re.MULTILINE)


def test_it_runs_as_many_sessions_as_it_is_told() -> None:
    assert "\n3 sessions closed\n" in run("--sessions", "3").stdout
