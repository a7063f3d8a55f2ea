"""Let the events of a real session come late, twice, or not at all, as hooks do.

Each event comes up to two seconds late, and overtakes what no cause orders it with. Causes order a
call's start and its end, a child's start and its end, a prompt and its stop, an ask and what
answers it; nothing else. What is right on the way is judged by what has come, apart from any
adapter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, final

from gapless.recordings import Line, Player, parse
from gapless.typings.outcome import Success
from gapless.typings.reading import Reading
from tests.support.claude import Json, Payload

LATEST_MS: Final = 2_000
LEASES_MS: Final = 3 * 3_600_000
"""Longer than any lease."""

_ENDS_CALLS = frozenset({"PostToolUse", "PostToolUseFailure"})
_STOPS = frozenset({"Stop", "StopFailure"})
_ANSWERS = frozenset({*_ENDS_CALLS, *_STOPS, "UserPromptSubmit", "PostToolBatch"})


class Event(NamedTuple):
    """A hook's event, and when it came."""

    at_ms: int
    payload: Payload

    @property
    def name(self) -> str:
        """What kind of event it is."""
        return str(self.payload["hook_event_name"])


def chains(payload: Payload) -> set[tuple[str, str]]:
    """Return what an event is one of several events of, in an order that causes give."""
    found: set[tuple[str, str]] = set()
    name, child = payload["hook_event_name"], str(payload.get("agent_id") or "")
    if "tool_use_id" in payload:
        found.add(("call", str(payload["tool_use_id"])))
    calls = payload.get("tool_calls")
    for row in calls if isinstance(calls, list) else ():
        if isinstance(row, dict):
            found.add(("call", str(row.get("tool_use_id"))))
    if name in {"UserPromptSubmit", *_STOPS} and payload.get("prompt_id"):
        found.add(("prompt", str(payload["prompt_id"])))
    if name in {"SubagentStart", "SubagentStop"}:
        found.add(("child", child))
    return found


def is_ordered(first: Payload, then: Payload) -> bool:
    """Whether a cause orders these two."""
    if chains(first) & chains(then):
        return True
    asked = first["hook_event_name"] == "PermissionRequest"
    return asked and then["hook_event_name"] in {*_ANSWERS, "PermissionRequest"}


def pairs(events: Sequence[Event]) -> Iterator[bool]:
    """Return of each two events within two seconds whether a cause orders them."""
    for place, then in enumerate(events):
        for first in events[:place]:
            if then.at_ms - first.at_ms <= LATEST_MS:
                yield is_ordered(first.payload, then.payload)


def shuffled(events: Sequence[Event], chance: Random) -> list[Event]:
    """Return the events as they may come, some of them twice."""
    come: list[Event] = []
    for at_ms, payload in events:
        late = int(chance.random() * LATEST_MS) if chance.random() < 0.5 else 0
        causes = (
            it.at_ms + 1
            for it in come
            if at_ms - it.at_ms <= LATEST_MS and is_ordered(it.payload, payload)
        )
        come.append(Event(max([at_ms + late, *causes]), payload))
    for event, (at_ms, payload) in zip(tuple(come), events, strict=True):
        if chance.random() < 0.2:
            again = max(event.at_ms, at_ms + int(chance.random() * LATEST_MS))
            come.append(Event(again, payload))
    return sorted(come, key=lambda it: it.at_ms)


def lines(events: Iterable[Event]) -> Iterator[Line]:
    """Return the lines of a recording of these."""
    for at_ms, payload in events:
        row: Json = {"at_ms": at_ms, "session": "s", "harness": "claude", "hook": payload}
        yield _line(row)


def _line(row: Json) -> Line:
    outcome = parse(json.dumps(row).encode(), first=False)
    assert isinstance(outcome, Success), outcome
    line = outcome.unwrap()
    assert isinstance(line, Line), line
    return line


class Lived(NamedTuple):
    """What a session was said to do at each event, and once all leases have run."""

    answers: list[Reading]
    at_last: Reading


def live(events: Sequence[Event]) -> Lived:
    """Replay the events, and then let all leases run."""
    player, answers = Player(), list[Reading]()
    for line in lines(events):
        answered = player.play(line)
        assert not answered.trouble, answered
        assert answered.answer is not None
        answers.append(answered.answer)
    over: Json = {"at_ms": events[-1].at_ms + LEASES_MS, "session": "s"}
    at_last = player.play(_line(over)).answer
    assert at_last is not None
    return Lived(answers, at_last)


@final
class Bystander:
    """What anybody knows to go on, from what has come so far of all that will."""

    def __init__(self, all_of_it: Sequence[Event]) -> None:
        self._will_stop = {_prompt(it) for it in all_of_it if it.name in _STOPS} - {""}
        self._stopped = set[str]()
        self.turns = set[str]()
        self.children = set[str]()
        self._over = set[str]()

    def see(self, event: Event) -> None:
        """Take note of one event."""
        payload, prompt = event.payload, _prompt(event)
        child = str(payload.get("agent_id") or "")
        match event.name:
            case "UserPromptSubmit":
                self.turns |= {prompt} & self._will_stop - self._stopped
                text = str(payload.get("prompt"))
                self.children = {it for it in self.children if it not in text}
            case "Stop" | "StopFailure":
                self._stopped.add(prompt)
                self.turns.discard(prompt)
                if not child and "background_tasks" in payload:
                    listed = json.dumps(payload["background_tasks"])
                    self.children = {it for it in self.children if it in listed}
            case "SubagentStart" if payload.get("agent_type"):
                self.children |= {child} - self._over
            case "SubagentStop":
                self._over.add(child)
                self.children.discard(child)
            case "SessionStart" | "SessionEnd":
                self.turns.clear()
                self.children.clear()
            case _:
                pass

    def judge(self, answer: Reading) -> None:
        """Find fault with an answer that says that nothing goes on."""
        goes_on = self.turns or self.children
        assert not (goes_on and answer.state == "done"), (goes_on, answer)
        assert not (goes_on and answer.close == "closable"), (goes_on, answer)


def _prompt(event: Event) -> str:
    return str(event.payload.get("prompt_id") or "")


def judge(events: Sequence[Event], answers: Sequence[Reading]) -> None:
    """Judge each answer by what had come by then."""
    bystander = Bystander(events)
    for event, answer in zip(events, answers, strict=True):
        bystander.see(event)
        bystander.judge(answer)


def assert_order_does_not_matter(real: Sequence[Event], shuffles: int) -> None:
    """Let the events come so often in another order: the same end, and nothing false before it."""
    expected = live(real).at_last
    for seed in range(shuffles):
        come = shuffled(real, Random(seed))  # noqa: S311 - the same again
        lived = live(come)
        assert lived.at_last == expected, seed
        judge(come, lived.answers)
