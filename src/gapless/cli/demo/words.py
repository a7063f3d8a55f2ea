"""A view in the words of the demonstration: short, and nothing that is not in the view."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from gapless.typings.ids import name_of
from gapless.typings.phases import (
    Active,
    NotificationPhase,
    Queued,
    Running,
    Settled,
    Starting,
    TaskEnded,
    TaskPhase,
)
from gapless.typings.reading import Reading, read
from gapless.typings.view import SessionView, TaskView


class Told(NamedTuple):
    """What one view says: of the session, and of each task beside the lead."""

    state: str
    close: str
    tasks: tuple[tuple[str, str], ...]


def told(view: SessionView) -> Told:
    """Say what a view says."""
    reading = read(view)
    tasks = tuple((name_of(task.key), _task(task)) for task in (*view.children, *view.shells))
    return Told(_state(reading), _close(reading), tasks)


def _state(reading: Reading) -> str:
    lingering = tuple(f"{it} run on" for it in reading.lingering)
    because = ", ".join((*reading.reasons, *lingering))
    return f"{reading.state} ({because})" if because else reading.state


def _close(reading: Reading) -> str:
    holds = [": ".join(hold) for hold in reading.holds]
    if reading.lead == "working":
        holds.insert(0, "turn")
    if reading.state == "waiting":
        holds.insert(0, "ask")
    if reading.close != "held":
        return reading.close
    return f"held by {', '.join(holds)}"


def _task(task: TaskView) -> str:
    phase = _phase(task.phase)
    if task.notification is None:
        return f"{task.kind.value} {phase}"
    return f"{task.kind.value} {phase}, result {_note(task.notification)}"


def _phase(phase: TaskPhase) -> str:
    match phase:
        case Starting():
            return "is being started"
        case Running():
            return "runs"
        case TaskEnded(how=how):
            return how.value
        case _:
            assert_never(phase)


def _note(phase: NotificationPhase) -> str:
    match phase:
        case Queued():
            return "waits for a turn"
        case Active():
            return "is being heard"
        case Settled():
            return "was heard"
        case _:
            assert_never(phase)
