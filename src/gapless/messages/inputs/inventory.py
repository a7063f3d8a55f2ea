"""What a harness lists as running beside its lead."""

from __future__ import annotations

from typing import final

from msgspec import Struct

from gapless.messages.inputs.attribution import FromHarness
from gapless.typings.ids import CronId, TaskId
from gapless.typings.phases import HowEnded, TaskKind


@final
class TaskRow(Struct, frozen=True, kw_only=True, gc=False):
    """One listed task. ``word`` is the harness's own word for a kind nobody knows."""

    task: TaskId
    kind: TaskKind
    running: bool
    how: HowEnded = HowEnded.COMPLETED
    word: str = ""


@final
class CronRow(Struct, frozen=True, kw_only=True, gc=False):
    """One armed schedule; ``next_wake_ms`` is wall-clock epoch ms, where the harness tells it."""

    cron: CronId
    recurring: bool = True
    next_wake_ms: int | None = None


@final
class Inventory(Struct, frozen=True, kw_only=True):
    """What was listed. ``None`` is "no such list was sent"; an empty one is "nothing".

    ``complete`` is false where a row was unreadable or cut off: then what is
    not listed proves nothing.
    """

    tasks: tuple[TaskRow, ...] | None = None
    crons: tuple[CronRow, ...] | None = None
    complete: bool = True


@final
class InventoryListed(FromHarness, frozen=True, kw_only=True, tag="inventory-listed"):
    """The harness listed what runs, at another moment than a turn's end."""

    inventory: Inventory
