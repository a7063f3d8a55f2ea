"""G5: what no cause orders may come in any order, and anything may come twice.

A script says what really happened, each event with the events that caused it. Its hooks then
arrive up to 2 s late, overtaking each other wherever no cause forbids it, some of them twice.
Calls and asks are kept before the stop of their own turn: a call that is new after a stop
reopens the turn (that is how a blocking stop hook shows), so that order does mean something.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gapless.messages.inputs import (
    AskKind,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationStarted,
    Input,
    Inventory,
    Launch,
    PromptSubmitted,
    TaskFinished,
    TaskRow,
    TaskStarted,
    TurnEnded,
)
from gapless.testing import Story
from gapless.typings.ids import CallDigest, CallId, HarnessSessionId, PromptId, TaskId
from gapless.typings.phases import TaskKind
from gapless.typings.reading import Reading
from gapless.typings.states import Completed

LATEST_MS = 2_000
TURN_MS = 20_000
C1 = HarnessSessionId("c1")


class Event(NamedTuple):
    at_ms: int
    what: Input
    causes: tuple[int, ...] = ()


class Script:
    """What really happened; ``add`` returns the event's place, to be named as a cause."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.running: dict[TaskId, TaskKind] = {}

    def add(self, at_ms: int, what: Input, *causes: int) -> int:
        self.events.append(Event(at_ms, what, causes))
        return len(self.events) - 1


@st.composite
def scripts(draw: st.DrawFn) -> list[Event]:
    script = Script()
    if draw(st.booleans()):
        script.add(0, ConversationStarted(conversation=C1, how=Boundary.STARTUP))
    ended: list[TaskId] = []
    for turn in range(draw(st.integers(1, 3))):
        ended = _turn(draw, script, turn, ended)
    return script.events


def _turn(draw: st.DrawFn, script: Script, turn: int, delivers: list[TaskId]) -> list[TaskId]:
    """Add one turn, and return the tasks whose notification the next one delivers."""
    start, prompt = turn * TURN_MS, PromptId(f"p{turn}")
    opened = script.add(
        start,
        PromptSubmitted(
            conversation=C1, prompt=prompt, typed=not delivers, delivers=tuple(delivers)
        ),
    )
    causes = [opened]
    causes.extend(_calls(draw, script, turn, start))
    ends: list[tuple[TaskId, int]] = []
    for number in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from([TaskKind.AGENT, TaskKind.SHELL]))
        task, ends_at = TaskId(f"t{turn}.{number}"), draw(st.sampled_from([None, 3_000, 9_000]))
        call = CallId(f"launch.{task}")
        launched = script.add(
            start + 1_000,
            TaskStarted(conversation=C1, task=task, kind=kind, launch=Launch.BACKGROUND, call=call),
        )
        started = [launched]
        if kind is TaskKind.AGENT:
            started.append(
                script.add(start + 1_000, TaskStarted(conversation=C1, task=task, kind=kind))
            )
        script.running[task] = kind
        if ends_at is not None:
            script.add(start + ends_at, TaskFinished(conversation=C1, task=task), *started)
            ends.append((task, ends_at))
    stop_at = draw(st.sampled_from([2_500, 8_500]))
    over = {task for task, at_ms in ends if at_ms < stop_at}
    rows = tuple(
        TaskRow(task=task, kind=kind, running=True)
        for task, kind in script.running.items()
        if task not in over
    )
    script.add(
        start + stop_at,
        TurnEnded(
            conversation=C1,
            prompt=prompt,
            outcome=Completed(),
            inventory=Inventory(tasks=rows),
        ),
        *causes,
    )
    for task, _ in ends:
        del script.running[task]
    return [task for task, _ in ends] if draw(st.booleans()) else []


def _calls(draw: st.DrawFn, script: Script, turn: int, start: int) -> list[int]:
    places: list[int] = []
    for number in range(draw(st.integers(0, 2))):
        call, digest = CallId(f"k{turn}.{number}"), CallDigest(draw(st.sampled_from("ab")))
        begun = script.add(
            start + 500, CallStarted(conversation=C1, call=call, tool="Bash", digest=digest)
        )
        asked: tuple[int, ...] = ()
        if draw(st.booleans()):
            raised = AskRaised(
                conversation=C1, kind=AskKind.PERMISSION, call=call, tool="Bash", digest=digest
            )
            asked = (script.add(start + 600, raised),)
        ended = CallEnded(conversation=C1, call=call, tool="Bash", digest=digest)
        places.extend((begun, *asked, script.add(start + 900, ended, begun, *asked)))
    return places


def told(events: list[tuple[int, Input]]) -> Reading:
    """The reading once everything was heard and every lease has run."""
    story = Story()
    for at_ms, what in sorted(events, key=lambda it: it[0]):
        story.at(at_ms, what)
    story.at(story.now_ms + 3 * 3_600_000)
    return story.reading()


@given(scripts(), st.data())
def test_what_no_cause_orders_may_come_late_and_twice(
    script: list[Event], data: st.DataObject
) -> None:
    arrivals: list[int] = []
    late: list[tuple[int, Input]] = []
    for event in script:
        delays = data.draw(st.lists(st.integers(0, LATEST_MS), min_size=1, max_size=2))
        caused = max((arrivals[cause] for cause in event.causes), default=0)
        at_ms = [max(event.at_ms + delay, caused) for delay in delays]
        arrivals.append(min(at_ms))
        late.extend((it, event.what) for it in at_ms)
    in_order = [(event.at_ms, event.what) for event in script]
    assert told(late) == told(in_order)


@given(scripts())
def test_an_event_that_comes_twice_at_once_is_one_event(script: list[Event]) -> None:
    once = [(event.at_ms, event.what) for event in script]
    twice = [(at_ms, what) for at_ms, what in once for _ in range(2)]
    assert msgspec.structs.asdict(told(twice)) == msgspec.structs.asdict(told(once))
