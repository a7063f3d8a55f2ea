"""The web service: its demonstration, and a served one that is asked from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, NamedTuple, final

import msgspec
import pytest

from gapless.typings import Held, Reading, ShellHold
from tests.runtime.kit import PATIENCE_S

EXAMPLE = Path(__file__).parents[2] / "examples" / "web_service.py"
COMMAND = [sys.executable, "-W", "error", str(EXAMPLE)]

pytestmark = pytest.mark.skipif(not EXAMPLE.exists(), reason="no wheel has the examples")


class Answer(NamedTuple):
    status: int
    body: bytes


@final
class Served:
    """A service in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], said: IO[str]) -> None:
        self.process = process
        self._said = said
        self._port = int(said.readline().rpartition(":")[2])

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as connection:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, names)
            response = connection.getresponse()
            return Answer(response.status, response.read())

    def start(self, *command: str, session: str = "main") -> Answer:
        job = json.dumps({"command": command, "session": session})
        return self.ask("POST", "/jobs", job, content_type="application/json")

    def restart(self) -> Answer:
        return self.ask("POST", "/restart")

    def status(self, path: str = "/status") -> dict[str, Reading]:
        return msgspec.json.decode(self.ask("GET", path).body, type=dict[str, Reading])

    def end(self) -> tuple[int, str]:
        """Wait for its end; return its exit status and what it said."""
        said = self._said.read()
        return self.process.wait(), said


@pytest.fixture
def served() -> Iterator[Served]:
    process = subprocess.Popen(
        [*COMMAND, "--serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    too_late = threading.Timer(2 * PATIENCE_S, process.kill)
    too_late.start()
    with process:
        assert process.stdout is not None
        yield Served(process, process.stdout)
        process.terminate()  # not killed: it would leave its shells behind
    too_late.cancel()
    too_late.join()


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """What a shell can read from until it is written to."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_the_demonstration_is_refused_a_restart_and_then_granted_it() -> None:
    done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    restarts = [line for line in done.stdout.splitlines() if line.startswith("POST /restart")]
    assert [line.split()[2] for line in restarts] == ["409", "202"]


def test_a_restart_is_refused_with_the_hold_while_a_shell_runs(served: Served, pipe: Path) -> None:
    assert served.start("cat", str(pipe)) == (201, b'{"id":"main/s1"}')
    status, body = served.restart()
    assert status == 409
    assert msgspec.json.decode(body, type=dict[str, Held]) == {"main": Held(first=ShellHold())}


def test_a_restart_is_accepted_once_the_result_was_taken(served: Served, pipe: Path) -> None:
    served.start("cat", str(pipe))
    pipe.write_text("all tests passed\n")
    served.status("/status?wait")
    assert served.restart().status == 202
    code, said = served.end()
    assert code == 0
    assert "exited with status 0" in said
    assert said.endswith("| all tests passed\n")


def test_a_restart_is_accepted_where_nothing_was_ever_started(served: Served) -> None:
    assert served.restart().status == 202
    assert served.end() == (0, "")


def test_the_status_of_a_session_whose_shell_runs_is_done_and_held(
    served: Served, pipe: Path
) -> None:
    served.start("cat", str(pipe))
    reading = served.status()["main"]
    assert (reading.state, reading.lingering, reading.close) == ("done", ("shells",), "held")
    assert reading.holds == (("shell", "background-shells"),)


def test_a_session_that_is_free_stays_open_while_another_holds(served: Served, pipe: Path) -> None:
    served.start("cat", str(pipe), session="busy")
    served.start("no-such-command", session="free")
    status, body = served.restart()
    assert status == 409
    assert msgspec.json.decode(body, type=dict[str, Held]).keys() == {"busy"}
    assert {it: reading.close for it, reading in served.status().items()} == {
        "busy": "held",
        "free": "closable",
    }


def test_a_command_that_does_not_exist_is_refused_with_its_cause(served: Served) -> None:
    status, body = served.start("no-such-command")
    assert status == 422
    answer = msgspec.json.decode(body, type=dict[str, str])
    assert answer["cause"] == "CommandNotFound"
    assert "'no-such-command'" in answer["error"]


def test_a_job_that_was_refused_holds_nothing(served: Served) -> None:
    served.start("no-such-command")
    assert served.restart().status == 202


@pytest.mark.parametrize("body", ["{", '{"command": "ls"}', '{"command": [], "more": 1}'])
def test_a_job_that_cannot_be_read_is_a_bad_request(served: Served, body: str) -> None:
    assert served.ask("POST", "/jobs", body, content_type="application/json").status == 400


def test_a_job_that_a_page_of_another_origin_could_send_is_refused(served: Served) -> None:
    job = '{"command": ["true"]}'
    assert served.ask("POST", "/jobs", job, content_type="text/plain").status == 415


def test_a_request_to_another_name_is_refused(served: Served) -> None:
    assert served.ask("GET", "/status", host="example.org").status == 400


def test_a_signal_ends_it_with_its_shells(served: Served, pipe: Path) -> None:
    served.start("cat", str(pipe))
    written = os.open(pipe, os.O_WRONLY)  # once it is open, the shell reads
    served.process.terminate()
    assert served.end()[0] == 0
    with pytest.raises(BrokenPipeError):
        os.write(written, b"to nobody")
    os.close(written)
