"""Ledgers of every kind, drawn: tasks and notifications at any phase, in any order."""

from __future__ import annotations

from hypothesis import strategies as st

from gapless.actors.ledger import Ledger
from gapless.actors.places import Places, places
from gapless.messages.session import NotificationFact, TaskFact
from gapless.typings.evidence import Evidence, Source
from gapless.typings.ids import InputNumber, ManagedId, ReportedId, TaskId, TaskKey
from gapless.typings.phases import (
    Active,
    HowEnded,
    HowSettled,
    NotificationPhase,
    Queued,
    Running,
    Settled,
    Starting,
    TaskEnded,
    TaskKind,
    TaskPhase,
)

KINDS = tuple(TaskKind)

evidence = st.integers(1, 6).map(
    lambda number: Evidence(number=InputNumber(number), at_ms=number * 1_000, source=Source.HOOK)
)
keys: st.SearchStrategy[TaskKey] = st.one_of(
    st.builds(ManagedId, incarnation=st.integers(1, 2), counter=st.integers(1, 3)),
    st.integers(1, 3).map(
        lambda life: ReportedId(owner="roster", task=TaskId(f"t{life}"), life=life)
    ),
)


def how_ended(by: Evidence) -> HowEnded:
    """One input says one thing."""
    return HowEnded.COMPLETED if by.number % 2 else HowEnded.FAILED


def ended(by: Evidence, owes: bool) -> TaskEnded:  # noqa: FBT001 - drawn, not chosen
    return TaskEnded(by=by, owes=owes, how=how_ended(by))


def ledger(over: dict[str, Places], tasks: list[TaskFact], notes: list[NotificationFact]) -> Ledger:
    return Ledger(over=over).add(tasks, notes)


phases: st.SearchStrategy[TaskPhase] = st.one_of(
    st.builds(Starting, by=evidence),
    st.builds(Running, by=evidence),
    st.builds(ended, evidence, st.booleans()),
)
note_phases: st.SearchStrategy[NotificationPhase] = st.one_of(
    st.builds(Queued, by=evidence, idle_ms=st.integers(0, 2), overdue=st.booleans()),
    st.builds(Active, by=evidence, idle_ms=st.integers(0, 2), overdue=st.booleans()),
    st.builds(Settled, by=evidence, how=st.just(HowSettled.DELIVERED)),
)


@st.composite
def task_facts(draw: st.DrawFn) -> TaskFact:
    number = draw(st.integers(1, 6))
    return TaskFact(
        key=draw(keys),
        number=InputNumber(number),
        kind=KINDS[number % len(KINDS)],
        phase=draw(phases),
        confirmed=draw(st.booleans()),
        silent=number % 2 == 0,
        seen_ms=number,
    )


ledgers = st.builds(
    ledger,
    st.dictionaries(
        st.sampled_from(["managed/1", "managed/2", "roster"]),
        st.lists(st.integers(1, 3), min_size=1).map(lambda them: places(*them)),
    ),
    st.lists(task_facts(), max_size=6),
    st.lists(st.builds(NotificationFact, key=keys, phase=note_phases), max_size=6),
)
