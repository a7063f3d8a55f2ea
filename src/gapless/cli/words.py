"""A view in words for a person: short, and nothing that is not in the view."""

from __future__ import annotations

import shutil
from typing import NamedTuple, assert_never

import click

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
from gapless.typings.why import Claim


def width_of_terminal() -> int:
    """Return how many characters fit in a line."""
    return max(40, shutil.get_terminal_size().columns)


def say(text: str) -> None:
    """Print a line of text, parts of which others wrote: a name may hold what steers a terminal."""
    click.echo("".join(it if it.isprintable() else "\N{REPLACEMENT CHARACTER}" for it in text))


def cut(text: str, width: int) -> str:
    """Return a text that fits."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


class Told(NamedTuple):
    """What one view says: of the session, and of each task beside the lead."""

    state: str
    close: str
    tasks: tuple[tuple[str, str], ...]


def told(view: SessionView) -> Told:
    """Say what a view says."""
    reading = read(view)
    tasks = tuple((name_of(task.key), _task(task)) for task in (*view.children, *view.shells))
    return Told(state_in_words(reading), _close(reading), tasks)


def claim_in_words(claim: Claim) -> str:
    """Return a claim, and who said what it rests on in which inputs; of many the first three."""
    sources = ", ".join(f"{it.source.value} {it.number}" for it in claim.because[:3])
    return f"{claim.text} ({sources})" if sources else claim.text


def state_in_words(reading: Reading) -> str:
    """Return a state with what it rests on."""
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
