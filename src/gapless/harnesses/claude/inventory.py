"""What Claude Code lists as running: in the events that end a turn or a child, and at some prompts.

A word nobody knows is kept as it is: a task of unknown type is a doubt, and a task whose status is
unknown or missing runs. A row that names no task is a doubt too, and makes the list incomplete:
what it does not list may run all the same.
"""

from __future__ import annotations

from typing import Final

from gapless.harnesses.payload import MOST_ROWS, Object, field_or_none, objects
from gapless.harnesses.payload import rows as rows_of
from gapless.messages.inputs import CronRow, Inventory, TaskRow
from gapless.typings.ids import CronId, TaskId
from gapless.typings.phases import HowEnded, TaskKind

KINDS: Final = {
    "shell": TaskKind.SHELL,
    "local_bash": TaskKind.SHELL,
    "monitor": TaskKind.MONITOR,
    "subagent": TaskKind.AGENT,
    "local_agent": TaskKind.AGENT,
    "local_subagent": TaskKind.AGENT,
    "remote_agent": TaskKind.AGENT,
    "teammate": TaskKind.TEAMMATE,
    "in_process_teammate": TaskKind.TEAMMATE,
    "workflow": TaskKind.WORKFLOW,
    "local_workflow": TaskKind.WORKFLOW,
}
"""The words for a task's type, of the hooks and of the SDK (read in trackers, seen in streams)."""

_FAILED: Final = frozenset({"failed", "error", "crashed", "timed_out", "expired"})
_STOPPED: Final = frozenset({"killed", "cancelled", "canceled", "aborted", "terminated", "skipped"})
_WELL: Final = frozenset(
    {"done", "success", "succeeded", "complete", "completed", "finished", "exited", "idle"}
)


def how_ended(status: str) -> HowEnded | None:
    """Return how a task ended that has this status; ``None`` if it runs, for all we know."""
    if status in _WELL:
        return HowEnded.COMPLETED
    if status in _FAILED:
        return HowEnded.FAILED
    return HowEnded.STOPPED if status in _STOPPED else None


def inventory_of(payload: Object, *, ends_turn: bool) -> Inventory | None:
    """Return what a payload lists, or ``None`` where it lists nothing at all.

    A list that was not sent is none; but an event that ends a turn and lists tasks lists all
    schedules too: without that list there are none (measured).

    Raises:
        PayloadError: a list is no list.

    """
    tasks, crons = rows_of(payload, "background_tasks"), rows_of(payload, "session_crons")
    if tasks is None and crons is None:
        return None
    if crons is None and ends_turn:
        crons = []
    listed = () if tasks is None else tuple(map(_task, objects(tasks)))
    armed = () if crons is None else tuple(map(_cron, objects(crons)))
    known = tuple(it for it in listed if it is not None)
    schedules = tuple(it for it in armed if it is not None)
    if len(known) < len(tasks or ()):
        known = (*known, _STRANGE)
    if len(schedules) < len(crons or ()):
        schedules = (*schedules, CronRow(cron=CronId(str(_STRANGE.task))))
    return Inventory(
        tasks=None if tasks is None else known,
        crons=None if crons is None else schedules,
        complete=_STRANGE not in known and None not in armed and len(crons or ()) <= MOST_ROWS,
    )


_STRANGE: Final = TaskRow(
    task=TaskId("unreadable"), kind=TaskKind.UNKNOWN, running=True, word="unreadable"
)
"""Stands for all rows that could not be read: something runs, and nobody can say what."""


def without(inventory: Inventory, task: TaskId) -> Inventory:
    """Return what else is listed; a list of which a row was left out is not complete."""
    tasks = inventory.tasks
    left = None if tasks is None else tuple(it for it in tasks if it.task != task)
    return Inventory(tasks=left, crons=inventory.crons, complete=False)


def _task(row: Object | None) -> TaskRow | None:
    if row is None:  # and one bad row costs nobody the rest
        return None
    name, word = field_or_none(row, "id"), (field_or_none(row, "type") or "").strip().lower()
    if name is None or not word:
        return None
    status = row.get("status")
    how = how_ended(status.strip().lower()) if isinstance(status, str) else None
    return TaskRow(
        task=TaskId(name),
        kind=KINDS.get(word, TaskKind.UNKNOWN),
        running=how is None,
        how=how or HowEnded.COMPLETED,
        word="" if word in KINDS else word,
    )


def _cron(row: Object | None) -> CronRow | None:
    name = None if row is None else field_or_none(row, "id")
    if row is None or name is None:
        return None
    return CronRow(cron=CronId(name), recurring=row.get("recurring") is not False)
