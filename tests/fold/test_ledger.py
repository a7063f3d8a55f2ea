"""The ledger is a join-semilattice, with or without what it has forgotten."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.fold import Whole, advance
from gapless.actors.ledger import Ledger, merge, prune
from gapless.actors.places import places
from gapless.messages.session import TaskFact
from gapless.testing import Story
from gapless.typings.evidence import Evidence, Source
from gapless.typings.ids import InputNumber, ManagedId
from gapless.typings.phases import (
    HowEnded,
    Settled,
    TaskEnded,
    TaskKind,
)
from tests.support.inputs import stories
from tests.support.ledgers import ledgers


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
