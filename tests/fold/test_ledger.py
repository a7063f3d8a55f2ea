"""The ledger is a join-semilattice, with or without what it has forgotten."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.fold import Whole, advance
from gapless.actors.ledger import Ledger, merge, prune
from gapless.actors.places import Places, places
from gapless.messages.session import NotificationFact, TaskFact
from gapless.testing import Story
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
from tests.support.inputs import stories

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
    st.builds(Queued, by=evidence, idle_ms=st.just(0), overdue=st.booleans()),
    st.builds(Active, by=evidence, idle_ms=st.just(0), overdue=st.booleans()),
    st.builds(Settled, by=evidence, how=st.just(HowSettled.DELIVERED)),
)


@st.composite
def task_facts(draw: st.DrawFn) -> TaskFact:
    number = draw(st.integers(1, 6))
    return TaskFact(
        key=draw(keys),
        number=InputNumber(number),
        kind=TaskKind.SHELL,
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


@given(ledgers, ledgers, ledgers)
def test_merge_is_associative(one: Ledger, two: Ledger, three: Ledger) -> None:
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@given(ledgers, ledgers)
def test_merge_is_commutative(one: Ledger, two: Ledger) -> None:
    assert merge(one, two) == merge(two, one)


@given(ledgers)
def test_merge_is_idempotent(one: Ledger) -> None:
    assert merge(one, one) == one


@given(ledgers, ledgers)
def test_merge_loses_nothing(one: Ledger, two: Ledger) -> None:
    both = merge(one, two)
    assert merge(both, one) == both


@given(ledgers, st.integers(0, 8_000))
def test_pruning_only_ever_adds_knowledge(one: Ledger, before_ms: int) -> None:
    pruned = prune(one, before_ms)
    assert merge(pruned, one) == pruned


@given(ledgers, st.integers(0, 8_000), st.integers(0, 8_000))
def test_pruning_twice_is_pruning_to_the_later(one: Ledger, first: int, then: int) -> None:
    assert prune(prune(one, min(first, then)), max(first, then)) == prune(one, max(first, then))


@given(ledgers, st.integers(0, 8_000))
def test_what_holds_is_never_pruned(one: Ledger, before_ms: int) -> None:
    pruned = prune(one, before_ms)
    for key, fact in one.tasks.items():
        note = one.notes.get(key)
        owed = isinstance(fact.phase, TaskEnded) and fact.phase.owes
        unsettled = note is not None and not isinstance(note, Settled)
        if not isinstance(fact.phase, TaskEnded) or unsettled or (owed and note is None):
            assert pruned.tasks[key] == fact


def over_at(number: int, *, owes: bool) -> TaskFact:
    by = Evidence(number=InputNumber(number), at_ms=number, source=Source.HOOK)
    return TaskFact(
        key=ManagedId(incarnation=1, counter=number),
        number=by.number,
        kind=TaskKind.SHELL,
        phase=TaskEnded(by=by, owes=owes, how=HowEnded.COMPLETED),
    )


def test_a_task_that_owes_is_kept_until_its_notification_is_heard_of() -> None:
    one = Ledger().add([over_at(1, owes=True)])
    assert prune(one, 8_000) is one


def test_what_was_forgotten_never_comes_back() -> None:
    one = Ledger().add([over_at(1, owes=False), over_at(2, owes=False)])
    pruned = prune(one, 8_000)
    assert (pruned.tasks, pruned.over) == ({}, {"managed/1": places(1, 2)})
    assert pruned.add([over_at(1, owes=True)]) == pruned


@given(stories(), st.data())
def test_repeating_anything_older_after_any_pruning_changes_nothing(
    story: Story, data: st.DataObject
) -> None:
    whole, history = Whole(), [Ledger()]
    for row in story.rows:
        whole = advance(whole, row, story.settings).whole
        history.append(whole.session.ledger)
    older = data.draw(st.sampled_from(history))
    assert merge(history[-1], older) == history[-1]
