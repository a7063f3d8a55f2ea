"""How fast what a CLI sends becomes a view: read by the adapter, folded, lived by the actors.

The day is that of an agent at work: prompts, calls, a shell in the background, a child, stops with
their lists, in the shape and size of what Claude Code sends. Each step has what the one before it
does, and more: the adapter alone (from decoded JSON), with the decoding, with the fold, and the
whole way of ``gapless replay`` through the real actors, for one session and for many beside each
other. One core does all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from bench.rounds import Contender, compete
from gapless.actors.fold import Whole, advance
from gapless.harnesses.claude import read_hook
from gapless.messages.recorded import Recorded
from gapless.recordings import Line, Player, parse
from gapless.typings.evidence import Source
from gapless.typings.ids import InputNumber

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"

EVENTS: Final = 20_000
SESSIONS: Final = 1_000
STEP_MS: Final = 40


def event(name: str, **fields: Json) -> dict[str, Json]:
    """Return a payload with what every one carries."""
    return {
        "session_id": "6f1f2c1e-0000-4000-8000-0000000000a1",
        "transcript_path": "/srv/agent/6f1f2c1e-0000-4000-8000-0000000000a1.jsonl",
        "cwd": "/srv/agent",
        "permission_mode": "default",
        "hook_event_name": name,
        **fields,
    }


def turn(number: int) -> list[dict[str, Json]]:
    """Return the events of one turn: what ended before it, three calls, a shell, a child."""
    prompt, shell, child = f"p{number}", f"b{number}", f"a{number:016x}"
    tasks: list[Json] = [{"id": shell, "type": "shell", "status": "running", "command": "sleep"}]
    told = (
        f"<task-notification>\n<task-id>b{number - 1}</task-id>\n<status>completed</status>\n"
        "<summary>Background command ended</summary>\n</task-notification>"
    )
    sent = [event("UserPromptSubmit", prompt=told, prompt_id=prompt)]
    for step, answer in enumerate(({}, {"backgroundTaskId": shell}, {"stdout": "x" * 500})):
        call: dict[str, Json] = {
            "tool_name": "Bash",
            "tool_use_id": f"toolu_{number:08x}{step:016x}",
            "tool_input": {"command": "make test " * 10, "description": "Run the tests"},
            "prompt_id": prompt,
        }
        sent.append(event("PreToolUse", **call))
        sent.append(event("PostToolUse", **call, tool_response=dict[str, Json](answer)))
    sent.append(event("SubagentStart", agent_id=child, agent_type="general-purpose"))
    sent.append(event("SubagentStop", agent_id=child, agent_type="general-purpose"))
    sent.append(event("Stop", prompt_id=prompt, background_tasks=tasks, session_crons=[]))
    sent.append(event("Stop", prompt_id=prompt, background_tasks=[], session_crons=[]))
    return sent


def day(events: int) -> list[dict[str, Json]]:
    """Return so many events."""
    return list(islice((it for number in range(events) for it in turn(number)), events))


def adapter(payloads: list[dict[str, Json]]) -> Contender:
    """Read decoded payloads, and nothing more."""

    def read() -> int:
        for payload in payloads:
            read_hook(payload).unwrap()
        return len(payloads)

    return read


def decoded(bodies: list[bytes]) -> Contender:
    """Decode and read, as whoever receives hooks does."""
    decode = msgspec.json.Decoder().decode

    def read() -> int:
        for body in bodies:
            read_hook(decode(body)).unwrap()
        return len(bodies)

    return read


def folded(bodies: list[bytes]) -> Contender:
    """Decode, read and fold: the views without actors."""
    decode = msgspec.json.Decoder().decode

    def fold() -> int:
        whole, number = Whole(), 0
        for at_ms, body in enumerate(bodies):
            for what in read_hook(decode(body)).unwrap():
                number += 1
                row = Recorded(
                    number=InputNumber(number),
                    at_ms=at_ms * STEP_MS,
                    source=Source.HOOK,
                    what=what,
                )
                whole = advance(whole, row).whole
        return len(bodies)

    return fold


def replayed(payloads: list[dict[str, Json]], sessions: int) -> Contender:
    """Go the whole way, from lines of a recording to answers, with so many sessions."""

    def lines() -> Iterable[bytes]:
        for at, payload in enumerate(payloads):
            name = f"s{at % sessions}"
            row = {"at_ms": at, "session": name, "harness": "claude", "hook": payload}
            yield json.dumps(row).encode()

    texts = list(lines())

    def replay() -> int:
        player = Player()
        for text in texts:
            line = parse(text, first=False).unwrap()
            assert isinstance(line, Line)  # noqa: S101 - it was made above
            player.play(line)
        return len(texts)

    return replay


def main(rounds: int, *, quick: bool) -> None:
    """Print how many events a second each step does."""
    events = EVENTS // (20 if quick else 1)
    payloads = day(events)
    bodies = [json.dumps(it).encode() for it in payloads]
    sessions = min(SESSIONS, events // 20)
    contenders: dict[str, Contender] = {
        "adapter alone": adapter(payloads),
        "decoded and read": decoded(bodies),
        "decoded, read and folded": folded(bodies),
        "the whole way, one session": replayed(payloads, 1),
        f"the whole way, {sessions:,} sessions": replayed(payloads, sessions),
    }
    size = sum(map(len, bodies)) / len(bodies)
    print(f"\nevents of Claude Code, {size:,.0f} bytes each, {events:,} of them")
    print(*compete(contenders, rounds), sep="\n", flush=True)
