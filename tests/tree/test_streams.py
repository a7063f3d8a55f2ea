"""What real CLIs sent, replayed whole: at every event what must never be is not.

The streams are not part of this project; where they lie beside it they are read. Whether an answer
is right is judged by the payloads alone, apart from any adapter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast, final

import pytest

from gapless.recordings import Answered, Line, Player, parse
from gapless.typings.edges import EdgeKind
from gapless.typings.outcome import Success
from gapless.typings.reading import Reading
from tests.support.claude import Json, Payload
from tools.streams import recording

STREAMS = sorted(Path(__file__).parents[3].glob("shared/streams/claude*.jsonl"))
LEASE_MS = 60_000


def lines(stream: Path) -> Iterator[Line]:
    for row in list(recording(stream, status=False))[1:]:
        outcome = parse(json.dumps(row).encode(), first=False)
        assert isinstance(outcome, Success), outcome
        line = outcome.unwrap()
        assert isinstance(line, Line), line
        yield line


def names(rows: Json) -> set[str]:
    """Return the tasks that a list has as running."""
    found = rows if isinstance(rows, list) else []
    return {str(it["id"]) for it in found if isinstance(it, dict) and it["status"] == "running"}


@final
class Witness:
    """What anybody can tell from the payloads themselves."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.background: set[str] = set()
        self.owed: dict[str, int] = {}
        self.asked: set[str] = set()
        self.turns = 0
        self.done = 0

    def see(self, at_ms: int, event: Payload) -> Witness:
        """Note an event; a new conversation has a witness of its own."""
        child = str(event.get("agent_id") or "")
        match event["hook_event_name"]:
            case "UserPromptSubmit":
                self.turns += 1
                self.asked.clear()
                text = str(event["prompt"])
                self.owed = {it: ms for it, ms in self.owed.items() if it not in text}
                self.running = {it for it in self.running if it not in text}
            case "PostToolUse" if isinstance(event["tool_response"], dict):
                if event["tool_response"].get("status") == "async_launched":
                    self.background.add(str(event["tool_response"]["agentId"]))
                self.asked.discard(child + str(event["tool_name"]))
            case "PreToolUse" | "PostToolUseFailure":
                self.turns += event["hook_event_name"] == "PreToolUse" and not child
            case "PermissionRequest":
                self.asked.add(child + str(event["tool_name"]))
            case "SubagentStop":
                self.running.discard(child)
                if child in self.background:
                    self.owed[child] = at_ms
            case "Stop" | "StopFailure":
                self.asked.clear()
                self.turns += 1
                if "background_tasks" in event:
                    self.running = names(event["background_tasks"])
            case "SessionStart" | "SessionEnd":
                return Witness()
            case _:
                pass
        return self

    def judge(self, at_ms: int, answered: Answered) -> None:
        answer = answered.answer
        assert answer is not None
        self._judge(at_ms, answer)
        self.done += answered.edges.count(EdgeKind.DONE)
        assert self.done <= self.turns, "done was told more often than a turn ended"

    def _judge(self, at_ms: int, answer: Reading) -> None:
        if answer.state == "working":
            assert answer.reasons
        if answer.close == "closable":
            assert not self.running, "something runs"
            assert answer.state in {"done", "ended"}
        if answer.state == "done":
            assert not self.running & self.background, "a child runs"
            due = [it for it, ms in self.owed.items() if at_ms < ms + LEASE_MS]
            assert not due, "a notification is owed"
        if self.asked:
            assert answer.state == "waiting"


@pytest.mark.skipif(not STREAMS, reason="there are no recorded streams beside this folder")
@pytest.mark.parametrize("stream", STREAMS, ids=lambda it: it.stem)
def test_no_event_of_a_real_session_leads_to_what_must_not_be(stream: Path) -> None:
    player, witness = Player(), Witness()
    for line in lines(stream):
        answered = player.play(line)
        assert not answered.trouble, answered
        witness = witness.see(line.at_ms, cast("Payload", line.hook))  # an event is an object
        witness.judge(line.at_ms, answered)
