"""The index of a ledger says what the whole ledger says, in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.fold import Whole, advance
from gapless.actors.ledger import Ledger, prune
from gapless.actors.standing import Known, Standing, standing
from gapless.messages.session import NotificationFact, TaskFact
from gapless.testing import Story
from tests.support.inputs import stories
from tests.support.ledgers import keys, note_phases, task_facts


def in_order(index: Standing) -> list[object]:
    """Return all an index says; of mappings, in which order as well."""
    ordered = (index.shells, index.children, index.notable, index.unsettled, index.owed)
    counts = (index.plain, index.shells_owed, index.queued_ms, index.unseen)
    return [*(list(it.items()) for it in ordered), *counts, index.carried, index.over]


def assert_sound(ledger: Ledger) -> None:
    made_anew = standing(Known(ledger.tasks, ledger.notes))
    assert in_order(ledger.standing) == in_order(made_anew)


steps = st.lists(
    st.one_of(
        st.tuples(
            st.lists(task_facts(), max_size=3),
            st.lists(st.builds(NotificationFact, key=keys, phase=note_phases), max_size=3),
        ),
        st.integers(0, 8_000),
    ),
    max_size=12,
)


@given(steps)
def test_whatever_is_heard_and_forgotten(
    steps: list[tuple[list[TaskFact], list[NotificationFact]] | int],
) -> None:
    ledger = Ledger()
    for step in steps:
        ledger = prune(ledger, step) if isinstance(step, int) else ledger.add(*step)
        assert_sound(ledger)


@given(stories())
def test_in_a_session(story: Story) -> None:
    whole = Whole()
    for row in story.rows:
        whole = advance(whole, row, story.settings).whole
        assert_sound(whole.session.ledger)
