"""The ledger: a join-semilattice of what is known of every task and notification.

Merging takes the higher phase of each chain, so facts that come late, twice or in any
order change nothing: ``merge`` is associative, commutative and idempotent. Of two facts at
the same phase the earlier evidence stays. What is not a chain (silence, the last sign
of life) goes with the later input number, which is a chain again.

Pruning. A task that is over (ended longer ago than late news may come, and its
notification settled if it owed one) is forgotten but for its place in its lane (``places``):
that is known to be over for ever, so pruning commutes with merging, and whatever is repeated
later is ignored. Refused: forgetting by age or by count alone, which would let a repeated fact
raise the dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors.places import NO_PLACES, Places, places
from gapless.actors.standing import NOTHING, Known, Standing, restand
from gapless.messages.session import NotificationFact, TaskFact
from gapless.typings.evidence import Evidence
from gapless.typings.ids import TaskKey, lane_of, place_of
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


@final
class Ledger(Struct, frozen=True, kw_only=True):
    """What is known; ``over`` are the places of each lane that were pruned.

    ``standing`` is the index of ``tasks`` and ``notes``, and follows from them.
    """

    tasks: Mapping[TaskKey, TaskFact] = {}
    notes: Mapping[TaskKey, NotificationPhase] = {}
    over: Mapping[str, Places] = {}
    standing: Standing = NOTHING

    def is_over(self, key: TaskKey) -> bool:
        """Whether ``key`` was pruned: over, for ever."""
        return place_of(key) in self.over.get(lane_of(key), NO_PLACES)

    def add(self, tasks: Iterable[TaskFact] = (), notes: Iterable[NotificationFact] = ()) -> Ledger:
        """Return the ledger that knows these facts too."""
        known, settled = dict(self.tasks), dict(self.notes)
        told: dict[TaskKey, None] = {}
        noted: dict[TaskKey, None] = {}
        for task in tasks:
            if not self.is_over(task.key):
                old = known.get(task.key)
                known[task.key] = task if old is None else join_tasks(old, task)
                told[task.key] = None
        for note in notes:
            if not self.is_over(note.key):
                was = settled.get(note.key)
                settled[note.key] = note.phase if was is None else join_notes(was, note.phase)
                noted[note.key] = None
        return self.knowing(Known(known, settled), told, noted)

    def knowing(self, now: Known, told: Iterable[TaskKey], noted: Iterable[TaskKey]) -> Ledger:
        """Return the ledger that knows this, which differs in these keys only."""
        was = Known(self.tasks, self.notes)
        return msgspec.structs.replace(
            self,
            tasks=now.tasks,
            notes=now.notes,
            standing=restand(self.standing, was, now, told, noted),
        )


def merge(left: Ledger, right: Ledger) -> Ledger:
    """Return what both know together."""
    over = dict(left.over)
    for lane, them in right.over.items():
        over[lane] = them | over.get(lane, NO_PLACES)
    both = Ledger(over=over)
    for it in (left, right):
        notes = (NotificationFact(key=key, phase=phase) for key, phase in it.notes.items())
        both = both.add(it.tasks.values(), notes)
    return both


def prune(ledger: Ledger, before_ms: int) -> Ledger:
    """Forget what was over before this time."""
    doomed = {key for key, ended_ms in ledger.standing.over.items() if ended_ms < before_ms}
    if not doomed:
        return ledger
    over = dict(ledger.over)
    for lane in {lane_of(key) for key in doomed}:
        gone = places(*(place_of(key) for key in doomed if lane_of(key) == lane))
        over[lane] = gone | over.get(lane, NO_PLACES)
    left = Known(
        {key: it for key, it in ledger.tasks.items() if key not in doomed},
        {key: it for key, it in ledger.notes.items() if key not in doomed},
    )
    return msgspec.structs.replace(ledger.knowing(left, doomed, doomed), over=over)


def join_tasks(left: TaskFact, right: TaskFact) -> TaskFact:
    """Return what two facts of one life say together."""
    older, newer = (left, right) if left.number <= right.number else (right, left)
    return msgspec.structs.replace(
        newer,
        phase=_join_task_phases(older.phase, newer.phase),
        confirmed=older.confirmed or newer.confirmed,
    )


def _join_task_phases(left: TaskPhase, right: TaskPhase) -> TaskPhase:
    low, high = sorted((left, right), key=lambda it: (task_rank(it), -it.by.number))
    if isinstance(low, TaskEnded) and isinstance(high, TaskEnded):
        return msgspec.structs.replace(high, owes=low.owes or high.owes)
    return high


def task_rank(phase: TaskPhase) -> int:
    """Return the height of a phase in its chain."""
    match phase:
        case Starting():
            return 0
        case Running():
            return 1
        case TaskEnded():
            return 2
        case _:
            assert_never(phase)


def join_notes(left: NotificationPhase, right: NotificationPhase) -> NotificationPhase:
    """Return the higher phase; of two equally high ones the earlier, overdue if either is."""
    low, high = sorted((left, right), key=lambda it: (note_rank(it), -it.by.number))
    if isinstance(high, Settled) or isinstance(low, Settled) or note_rank(low) < note_rank(high):
        return high
    return msgspec.structs.replace(high, overdue=low.overdue or high.overdue)


def note_rank(phase: NotificationPhase) -> int:
    """Return the height of a phase in its chain; unseen is below all."""
    match phase:
        case Queued():
            return 0
        case Active():
            return 1
        case Settled():
            return 2
        case _:
            assert_never(phase)


def oldest_first(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return distinct evidence in the order of its inputs."""
    return tuple(sorted(set(evidence), key=lambda it: it.number))
