"""The lives of the tasks that only a harness knows: what the roster and the registry share.

A harness names a task by an id it may use again, tells its end before its start,
twice or not at all, and lists it in inventories that may be older than what we heard. So an
owner counts *lives*: an id has one current life, and each life goes up the chain
``Running ⊑ Ended`` once. What can go wrong, and the rule against it:

* an end without a start: remembered for ``early_end_ms``; it cancels one start;
* a late or repeated start, of the same call or within ``early_end_ms`` of the end: no new life;
* a lost end: a complete inventory that does not list the task ends it;
* an inventory as old as an end may be, ``early_end_ms``: it revives nothing; a newer one does.

An end that owes a notification is *handed over*: the life stays Running here until the
drain has confirmed it (G9), so no reader ever finds the task in neither place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, final

import msgspec
from msgspec import Struct

from gapless.actors.recent import remember, without
from gapless.messages.inputs.inventory import Inventory, TaskRow
from gapless.messages.inputs.lifecycle import RestoredTask
from gapless.messages.inputs.tasks import Launch, TaskFinished, TaskStarted
from gapless.messages.moment import Moment
from gapless.messages.session import TaskFact
from gapless.typings.evidence import Provenance
from gapless.typings.ids import CallId, HarnessSessionId, InputNumber, ReportedId, TaskId, TaskKey
from gapless.typings.phases import HowEnded, Running, TaskEnded, TaskKind
from gapless.typings.settings import Settings

OWES_NOTHING: Final = frozenset(
    {
        HowEnded.STOPPED,
        HowEnded.RETURNED,
        HowEnded.PARKED,
        HowEnded.VOID,
        HowEnded.NEVER_STARTED,
    }
)
"""Ends nobody is told of: the agent's own doing, or nobody is left to be told."""


@final
class Life(Struct, frozen=True, kw_only=True):
    """One life of one task.

    ``ending`` is an end the drain has not confirmed yet; ``listed_as_agent``: an
    inventory listed this id as a child, so it ends when it stops and does not park.
    """

    key: ReportedId
    kind: TaskKind
    phase: Running | TaskEnded
    number: InputNumber
    seen_ms: int
    ending: TaskEnded | None = None
    launch: Launch = Launch.UNSEEN
    call: CallId | None = None
    conversation: HarnessSessionId | None = None
    teammate: str | None = None
    confirmed: bool = True
    silent: bool = False
    word: str = ""

    @property
    def running(self) -> bool:
        """Whether no end was heard; a life that is being handed over has ended."""
        return isinstance(self.phase, Running) and self.ending is None

    @property
    def end(self) -> TaskEnded | None:
        """Its end, confirmed or not."""
        return self.phase if isinstance(self.phase, TaskEnded) else self.ending

    def fact(self) -> TaskFact:
        """Return it as its owner's fact."""
        return TaskFact(
            key=self.key,
            number=self.number,
            kind=self.kind,
            phase=self.phase,
            confirmed=self.confirmed,
            silent=self.silent,
            seen_ms=self.seen_ms,
            word=self.word,
        )


@final
class Lives(Struct, frozen=True, kw_only=True):
    """All lives of one owner: the current one of each id, and ends that came too early."""

    owner: Literal["roster", "registry"]
    count: int = 0
    current: Mapping[TaskId, Life] = {}
    early: Mapping[TaskId, TaskEnded] = {}

    def running(self) -> list[Life]:
        """Return the lives that run, in start order."""
        return [life for life in self.current.values() if life.running]


def start(lives: Lives, moment: Moment, what: TaskStarted, settings: Settings) -> Lives:
    """Hear that a task runs, or was launched."""
    life = lives.current.get(what.task)
    parks = what.teammate is not None and what.kind is TaskKind.AGENT
    kind = TaskKind.TEAMMATE if parks else what.kind
    if life is None:
        return _first_start(lives, moment, what, kind, settings)
    if life.running:
        launch = what.launch if life.launch is Launch.UNSEEN else life.launch
        started = msgspec.structs.replace(life, launch=launch, call=life.call or what.call)
        return put(lives, seen(started, moment))
    if what.call is not None and what.call == life.call:
        return lives
    if life.kind is not TaskKind.TEAMMATE and _within(lives, life, moment, settings):
        return _late_launch(lives, moment, life, what)
    if life.ending is not None:  # the drain has not confirmed: the old life may not be forgotten
        return lives
    return _begin(lives, moment, what.task, kind, what)


def _within(lives: Lives, life: Life, moment: Moment, settings: Settings) -> bool:
    ended = life.end
    assert ended is not None, lives.owner  # noqa: S101 - the caller found it not running
    return moment.by.at_ms - ended.by.at_ms <= settings.early_end_ms


def _first_start(
    lives: Lives, moment: Moment, what: TaskStarted, kind: TaskKind, settings: Settings
) -> Lives:
    end = early_end(lives, moment, what.task, settings)
    if end is None:
        return _begin(lives, moment, what.task, kind, what)
    lives = msgspec.structs.replace(lives, early=without(lives.early, what.task))
    lives = _begin(lives, moment, what.task, kind, what)
    return finish(lives, moment, lives.current[what.task], end.how, in_turn=True)


def early_end(lives: Lives, moment: Moment, task: TaskId, settings: Settings) -> TaskEnded | None:
    """Return the end of this task that was heard just now, before any start of it."""
    end = lives.early.get(task)
    if end is None or moment.by.at_ms - end.by.at_ms > settings.early_end_ms:
        return None
    return end


def _late_launch(lives: Lives, moment: Moment, life: Life, what: TaskStarted) -> Lives:
    """Hear of the launch of a life that is over already; its end may owe after all."""
    if life.launch is not Launch.UNSEEN or what.launch is Launch.UNSEEN:
        return lives
    life = msgspec.structs.replace(life, launch=what.launch, call=life.call or what.call)
    if life.launch is Launch.BACKGROUND:
        life = owe(life, moment)
    return put(lives, life)


def owe(life: Life, moment: Moment) -> Life:
    """Let an end that owed nothing owe a notification after all."""
    end = life.end
    if end is None or end.owes or end.how in OWES_NOTHING:
        return life
    return msgspec.structs.replace(
        life, ending=TaskEnded(by=end.by, owes=True, how=end.how), number=moment.by.number
    )


def _begin(
    lives: Lives, moment: Moment, task: TaskId, kind: TaskKind, what: TaskStarted | TaskRow | None
) -> Lives:
    count = lives.count + 1
    life = Life(
        key=ReportedId(owner=lives.owner, task=task, life=count),
        kind=kind,
        phase=Running(by=moment.by),
        number=moment.by.number,
        seen_ms=moment.by.at_ms,
        conversation=moment.conversation,
        confirmed=moment.by.provenance is not Provenance.RESTORED,
        launch=what.launch if isinstance(what, TaskStarted) else Launch.UNSEEN,
        call=what.call if isinstance(what, TaskStarted) else None,
        teammate=what.teammate if isinstance(what, TaskStarted) else None,
        word=what.word if isinstance(what, TaskRow) else "",
    )
    return put(msgspec.structs.replace(lives, count=count), life)


def is_old_news(life: Life, moment: Moment, settings: Settings) -> bool:
    """Whether a life ended so long ago that a sign of it now means another life."""
    if life.ending is not None or life.end is None:
        return False
    return moment.by.at_ms - life.end.by.at_ms > settings.early_end_ms


def begin_unseen(lives: Lives, moment: Moment, task: TaskId, kind: TaskKind) -> Lives:
    """Begin the life of a task whose start was not seen, for a sign of life."""
    return _begin(lives, moment, task, kind, None)


def restore(
    lives: Lives, moment: Moment, rows: Iterable[RestoredTask], kinds: frozenset[TaskKind]
) -> Lives:
    """Begin the lives of what ran before a restart; nothing live vouches for them yet."""
    for row in rows:
        if row.kind in kinds and row.task not in lives.current:
            lives = _begin(lives, moment, row.task, row.kind, None)
            life = msgspec.structs.replace(lives.current[row.task], confirmed=False)
            lives = put(lives, life)
    return lives


def seen(life: Life, moment: Moment) -> Life:
    """Note a sign of life. It confirms what was restored and ends a silence."""
    live = moment.by.provenance is not Provenance.RESTORED
    return msgspec.structs.replace(
        life,
        confirmed=life.confirmed or live,
        silent=False,
        seen_ms=moment.by.at_ms,
        number=moment.by.number,
    )


def hear_end(lives: Lives, moment: Moment, what: TaskFinished, settings: Settings) -> Lives:
    """Hear that a task is over, perhaps before it was heard to start."""
    life = lives.current.get(what.task)
    if life is None:
        if not what.typed:
            return lives
        end = TaskEnded(by=moment.by, owes=False, how=what.how)
        known = remember(lives.early, what.task, end, settings.remembered)
        return msgspec.structs.replace(lives, early=known)
    if not life.running:
        return lives
    how = HowEnded.PARKED if life.kind is TaskKind.TEAMMATE else what.how
    return finish(lives, moment, life, how, in_turn=not moment.lead_closed)


def finish(lives: Lives, moment: Moment, life: Life, how: HowEnded, *, in_turn: bool) -> Lives:
    """End a life; if it owes a notification it stays Running here until the drain has that."""
    end = TaskEnded(by=moment.by, owes=_owes(life, how, in_turn=in_turn), how=how)
    if end.owes:
        return put(lives, msgspec.structs.replace(life, ending=end))
    return put(lives, msgspec.structs.replace(life, phase=end, number=moment.by.number))


def _owes(life: Life, how: HowEnded, *, in_turn: bool) -> bool:
    """Decide as ``decisions`` 1 and 2 do: background work owes one notification, once."""
    if how in OWES_NOTHING or life.launch in {Launch.FOREGROUND, Launch.DETACHED}:
        return False
    if life.kind in {TaskKind.SHELL, TaskKind.MONITOR, TaskKind.WORKFLOW}:
        return True
    if life.kind is not TaskKind.AGENT:
        return False
    return life.launch is Launch.BACKGROUND or not in_turn


def reconcile(
    lives: Lives,
    moment: Moment,
    inventory: Inventory,
    kinds: frozenset[TaskKind],
    settings: Settings,
) -> Lives:
    """Compare with what the harness lists. ``None`` is no list, an empty one is "nothing runs"."""
    if inventory.tasks is None:
        return lives
    mine = [row for row in inventory.tasks if row.kind in kinds]
    for row in mine:
        lives = _row(lives, moment, row, settings)
    if not inventory.complete:
        return lives
    listed = {row.task for row in inventory.tasks}
    teammates_live = any(row.kind is TaskKind.TEAMMATE for row in inventory.tasks)
    for life in lives.running():
        spared = life.kind is TaskKind.TEAMMATE and teammates_live
        if life.key.task not in listed and not spared:
            lives = finish(lives, moment, life, HowEnded.VANISHED, in_turn=not moment.lead_closed)
    return lives


def _row(lives: Lives, moment: Moment, row: TaskRow, settings: Settings) -> Lives:
    if row.kind is TaskKind.TEAMMATE:
        return lives
    life = lives.current.get(row.task)
    if life is None:
        if row.running and early_end(lives, moment, row.task, settings) is None:
            return _begin(lives, moment, row.task, row.kind, row)
        return lives
    if life.kind is TaskKind.TEAMMATE and row.kind is TaskKind.AGENT:
        life = msgspec.structs.replace(life, kind=TaskKind.AGENT, teammate=None)
        lives = put(lives, life)
    if not life.running:
        revives = row.running and is_old_news(life, moment, settings)
        return _begin(lives, moment, row.task, life.kind, row) if revives else lives
    if row.running:
        return put(lives, msgspec.structs.replace(seen(life, moment), word=row.word))
    return finish(lives, moment, life, row.how, in_turn=not moment.lead_closed)


def void(lives: Lives, moment: Moment, doomed: Iterable[Life]) -> Lives:
    """End these lives because nobody is left who could hear of them."""
    for life in doomed:
        lives = finish(lives, moment, life, HowEnded.VOID, in_turn=True)
    return lives


def handing(lives: Lives) -> tuple[TaskKey, ...]:
    """Return the lives whose notification the drain has not confirmed."""
    return tuple(life.key for life in lives.current.values() if life.ending is not None)


def taken(lives: Lives, keys: tuple[TaskKey, ...], moment: Moment) -> Lives:
    """Publish the ends the drain now has."""
    for life in list(lives.current.values()):
        if life.ending is not None and life.key in keys:
            lives = put(
                lives,
                msgspec.structs.replace(
                    life, phase=life.ending, ending=None, number=moment.by.number
                ),
            )
    return lives


def put(lives: Lives, life: Life) -> Lives:
    """Make this the current life of its id."""
    return msgspec.structs.replace(lives, current={**lives.current, life.key.task: life})


def forget(lives: Lives, moment: Moment, limit: int) -> Lives:
    """Forget the oldest lives whose end was folded, beyond the number that is remembered."""
    if len(lives.current) <= limit:
        return lives
    over = [life for life in lives.current.values() if isinstance(life.phase, TaskEnded)]
    excess = [it for it in over if it.number <= moment.folded][: max(0, len(over) - limit)]
    if not excess:
        return lives
    gone = {life.key.task for life in excess}
    kept = {task: life for task, life in lives.current.items() if task not in gone}
    return msgspec.structs.replace(lives, current=kept)


def changed(before: Lives, after: Lives) -> tuple[TaskFact, ...]:
    """Return the facts of the lives that are not as they were."""
    if before is after:
        return ()
    return tuple(
        life.fact() for task, life in after.current.items() if before.current.get(task) is not life
    )
