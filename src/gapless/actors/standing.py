"""What of a ledger still stands: an index, so that a view costs what changed, not what there is.

A session may run thousands of shells, and every input makes a view. What is not over and what is
owed is therefore kept sorted out, and brought up to date for the tasks that an input touched.

The invariant: the index says what ``standing`` says of the whole ledger, in the order of the
ledger (``tests/fold/test_standing.py``). A task that comes back to where it had been would come
last there, so the index is then made anew; only what was lost and sent again does that.

Refused: one pass over everything at every input (two thousand shells in one session started at
33 a second); caches by identity beside the state (a second truth, which nobody compares).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias, TypeVar, final

from msgspec import Struct

from gapless.messages.session import TaskFact
from gapless.typings.ids import ManagedId, TaskKey
from gapless.typings.phases import (
    REGISTRY_KINDS,
    Active,
    NotificationPhase,
    Queued,
    Settled,
    TaskEnded,
    TaskKind,
)
from gapless.typings.view import TaskView

Tasks: TypeAlias = Mapping[TaskKey, TaskFact]
Notes: TypeAlias = Mapping[TaskKey, NotificationPhase]
Item = TypeVar("Item")


class Known(NamedTuple):
    """What a ledger knows of its tasks and of their notifications."""

    tasks: Tasks
    notes: Notes


@final
class Standing(Struct, frozen=True, kw_only=True):
    """The tasks and notifications of a ledger, by what is still to come of them.

    Tasks: ``shells`` (monitors too) and ``children`` are not over: they run, or ended and have a
    notification to settle. ``notable`` are the running ones of which there is more to say than that
    a shell runs; ``plain`` counts the others. ``over`` are to be pruned; with the session time at
    which they ended, in ms.

    Notifications: ``unsettled`` were seen and are not settled. Of these, ``owed`` are not those of
    shells, which ``shells_owed`` counts; ``carried`` are those that a turn carries;
    ``queued_ms`` is the least idle clock of those that are queued and not overdue. ``unseen``
    counts the ended tasks that owe one which was not seen.
    """

    shells: Mapping[TaskKey, TaskView] = {}
    children: Mapping[TaskKey, TaskView] = {}
    notable: Tasks = {}
    plain: int = 0
    over: Mapping[TaskKey, int] = {}
    unsettled: Notes = {}
    owed: Notes = {}
    shells_owed: int = 0
    carried: Mapping[TaskKey, Active] = {}
    queued_ms: int | None = None
    unseen: int = 0


NOTHING = Standing()


def standing(known: Known) -> Standing:
    """Return the index of a whole ledger."""
    return _moved(NOTHING, {}, _places(known, (*known.tasks, *known.notes)), known.notes)


def restand(
    before: Standing, was: Known, now: Known, told: Iterable[TaskKey], noted: Iterable[TaskKey]
) -> Standing:
    """Return the index of ``now``, which differs from what ``was`` in these keys only.

    ``told`` are the keys of tasks, ``noted`` those of notifications, each in the order in which
    they came.
    """
    touched = (*told, *noted)
    left = _places(was, touched)
    taken = _places(now, touched)
    if any(_comes_back(left[it], taken[it], was_known=it in was.tasks) for it in touched):
        return standing(now)
    return _moved(before, left, taken, noted)


class _Place(NamedTuple):
    """Where one task and its notification belong; ``None`` and false: not there."""

    shell: TaskView | None = None
    child: TaskView | None = None
    notable: TaskFact | None = None
    plain: bool = False
    over: int | None = None
    unsettled: NotificationPhase | None = None
    of_shell: bool = False
    unseen: bool = False

    @property
    def owed(self) -> NotificationPhase | None:
        return None if self.of_shell else self.unsettled

    @property
    def owes_shell(self) -> bool:
        return self.of_shell and self.unsettled is not None

    @property
    def carried(self) -> Active | None:
        return self.unsettled if isinstance(self.unsettled, Active) else None


def _places(known: Known, keys: Iterable[TaskKey]) -> dict[TaskKey, _Place]:
    return {key: _place(key, known.tasks.get(key), known.notes.get(key)) for key in keys}


def _place(key: TaskKey, fact: TaskFact | None, note: NotificationPhase | None) -> _Place:
    settled = isinstance(note, Settled)
    unsettled = None if settled else note
    if fact is None:
        return _Place(unsettled=unsettled, of_shell=isinstance(key, ManagedId))
    end = fact.phase if isinstance(fact.phase, TaskEnded) else None
    view = None if end is not None and (settled or not end.owes) else _view(fact, note)
    of_registry = fact.kind in REGISTRY_KINDS
    plain = fact.kind is TaskKind.SHELL and fact.confirmed and not fact.silent
    return _Place(
        shell=view if of_registry else None,
        child=None if of_registry else view,
        notable=fact if end is None and not plain else None,
        plain=end is None and plain,
        over=end.by.at_ms if end is not None and _is_over(end, note) else None,
        unsettled=unsettled,
        of_shell=fact.kind is TaskKind.SHELL,
        unseen=end is not None and end.owes and note is None,
    )


def _view(fact: TaskFact, note: NotificationPhase | None) -> TaskView:
    return TaskView(
        key=fact.key,
        kind=fact.kind,
        phase=fact.phase,
        notification=note,
        confirmed=fact.confirmed,
        silent=fact.silent,
    )


def _is_over(end: TaskEnded, note: NotificationPhase | None) -> bool:
    """Whether nothing more is to come: no notification is owed, or it is settled."""
    return not end.owes if note is None else isinstance(note, Settled)


def _comes_back(old: _Place, new: _Place, *, was_known: bool) -> bool:
    if old.unsettled is not None and old.owed is None and new.owed is not None:
        return True
    return was_known and (
        (old.shell is None and new.shell is not None)
        or (old.child is None and new.child is not None)
        or (old.notable is None and new.notable is not None)
    )


def _moved(
    before: Standing,
    left: Mapping[TaskKey, _Place],
    taken: Mapping[TaskKey, _Place],
    noted: Iterable[TaskKey],
) -> Standing:
    tasks, gone, come = taken.items(), left.values(), taken.values()
    notes = {**{key: taken[key] for key in noted}, **taken}.items()
    unsettled = _edited(before.unsettled, ((key, it.unsettled) for key, it in notes))
    return Standing(
        shells=_edited(before.shells, ((key, it.shell) for key, it in tasks)),
        children=_edited(before.children, ((key, it.child) for key, it in tasks)),
        notable=_edited(before.notable, ((key, it.notable) for key, it in tasks)),
        plain=before.plain + sum(it.plain for it in come) - sum(it.plain for it in gone),
        over=_edited(before.over, ((key, it.over) for key, it in tasks)),
        unsettled=unsettled,
        owed=_edited(before.owed, ((key, it.owed) for key, it in notes)),
        shells_owed=before.shells_owed
        + sum(it.owes_shell for it in come)
        - sum(it.owes_shell for it in gone),
        carried=_edited(before.carried, ((key, it.carried) for key, it in notes)),
        queued_ms=_queued_ms(before, gone, come, unsettled),
        unseen=before.unseen + sum(it.unseen for it in come) - sum(it.unseen for it in gone),
    )


def _queued_ms(
    before: Standing, gone: Iterable[_Place], come: Iterable[_Place], unsettled: Notes
) -> int | None:
    """Return the least idle clock; all are looked at only if the one that had it may be gone."""
    if before.queued_ms in {_waits_since(it.unsettled) for it in gone} - {None}:
        times = [_waits_since(phase) for phase in unsettled.values()]
    else:
        times = [before.queued_ms, *(_waits_since(it.unsettled) for it in come)]
    return min((it for it in times if it is not None), default=None)


def _waits_since(phase: NotificationPhase | None) -> int | None:
    match phase:
        case Queued(overdue=False):
            return phase.idle_ms
        case _:
            return None


def _edited(
    before: Mapping[TaskKey, Item], changes: Iterable[tuple[TaskKey, Item | None]]
) -> Mapping[TaskKey, Item]:
    """Return the mapping with these items; ``None`` takes one out; itself if nothing changes."""
    after: dict[TaskKey, Item] | None = None
    for key, item in changes:
        if item == before.get(key):
            continue
        if after is None:
            after = dict(before)
        if item is None:
            del after[key]
        else:
            after[key] = item
    return before if after is None else after
