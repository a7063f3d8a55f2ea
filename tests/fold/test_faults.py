"""An owner loses an input: nothing it owns may fall until it has sent its whole state again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.fold import Whole, advance
from gapless.messages.answers import NotClosed
from gapless.messages.inputs import (
    Boundary,
    CloseAsked,
    CloseForced,
    CloseUsed,
    ConversationStarted,
    Input,
    Inventory,
    InventoryListed,
    ResyncAsked,
)
from gapless.messages.recorded import Recorded
from gapless.testing import Story
from gapless.typings.close import Closable, StalePermit, Undetermined
from gapless.typings.doubts import FactLost, InputVoid
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import InputNumber, OwnerName, QuestionId
from gapless.typings.phases import TaskKind
from gapless.typings.states import Done, Unknown
from gapless.typings.view import SessionView
from tests.support.inputs import gaps, work_inputs
from tests.support.words import (
    BUILD,
    C1,
    C2,
    HELD_BY_SHELLS,
    calls,
    exits,
    prompt,
    spawn,
    spawned,
    starts,
    stop,
)

CLEAR = ConversationStarted(how=Boundary.CLEAR, conversation=C2)


def views_of(story: Story) -> list[SessionView]:
    whole, views = Whole(), list[SessionView]()
    for row in story.rows:
        done = advance(whole, row, story.settings)
        whole = done.whole
        views.append(done.view)
    return views


def test_a_lost_part_leaves_a_doubt_in_that_very_version(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(1_000, spawn(), lost=("registry",))
    lost = views_of(story)[2]
    assert isinstance(lost.state, Unknown)
    assert lost.close == Undetermined(first=FactLost(owner="registry"))


def test_a_resync_follows_at_once_and_takes_the_doubt_back(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(1_000, spawn(), lost=("registry",))
    assert story.rows[-1].what == ResyncAsked(owner="registry")
    assert isinstance(story.view.state, Done)


def test_no_permit_is_given_meanwhile(story: Story) -> None:
    story.at(0, prompt(), stop())
    lost = Recorded(
        number=InputNumber(3), at_ms=0, source=Source.HOST, what=spawn(), lost=("registry",)
    )
    asked = Recorded(
        number=InputNumber(4),
        at_ms=0,
        source=Source.HOST,
        what=CloseAsked(question=QuestionId(1)),
    )
    done = advance(advance(story.whole, lost).whole, asked)
    assert not isinstance(done.view.close, Closable)
    assert done.whole.session.desk.grant is None


@pytest.mark.parametrize("owner", ["registry", "drain"])
def test_a_shell_whose_end_was_lost_on_the_way_still_holds(story: Story, owner: OwnerName) -> None:
    story.at(0, prompt(), spawn(), spawned(), stop())
    story.at(1_000, exits(), lost=(owner,))
    for view in views_of(story)[-3:]:
        assert not isinstance(view.close, Closable)
    assert story.reading().holds == HELD_BY_SHELLS


def test_what_the_drain_lost_is_handed_over_again(story: Story) -> None:
    story.at(0, prompt(), spawn(), spawned(), stop())
    story.at(1_000, exits(), lost=("drain",))
    assert story.reading().reasons == ("continuation",)


def test_an_input_the_session_failed_on_is_void_in_the_list() -> None:
    row = Recorded(number=InputNumber(1), at_ms=0, source=Source.HOOK, what=prompt(), void=True)
    assert isinstance(advance(Whole(), row).view.state, Unknown)


def test_one_resync_follows_however_many_owners_lost_their_part(story: Story) -> None:
    story.at(0, prompt(), lost=("lead", "roster", "registry"))
    asked = [row.what for row in story.rows if isinstance(row.what, ResyncAsked)]
    assert len(asked) == 1


LOSSES: list[tuple[OwnerName, ...]] = [(), (), ("lead",), ("drain", "registry")]


@given(st.lists(st.tuples(gaps, work_inputs, st.sampled_from(LOSSES)), max_size=30))
def test_a_lost_part_changes_nothing_once_it_is_resynced(
    told: list[tuple[int, Input, tuple[OwnerName, ...]]],
) -> None:
    whole, torn = Story(), Story()
    for gap, what, lost in told:
        at_ms = whole.now_ms + gap
        whole.at(at_ms, what)
        torn.at(at_ms, what, lost=lost)
    assert torn.reading() == whole.reading()


def test_a_resync_that_is_lost_for_good_is_not_asked_for_without_end() -> None:
    lost = Recorded(
        number=InputNumber(1), at_ms=0, source=Source.HOOK, what=prompt(), lost=("lead",)
    )
    done = advance(Whole(), lost)
    asked = 0
    while done.wants:
        asked += 1
        number = InputNumber(done.view.upto + 1)
        again = Recorded(
            number=number, at_ms=0, source=Source.SESSION, what=done.wants[0], lost=("lead",)
        )
        done = advance(done.whole, again)
    assert asked == 2
    assert isinstance(done.view.state, Unknown)
    later = Recorded(number=InputNumber(4), at_ms=0, source=Source.HOOK, what=stop())
    assert isinstance(advance(done.whole, later).wants[0], ResyncAsked)


def test_a_closed_session_asks_nobody_for_anything(story: Story) -> None:
    story.at(0, prompt(), lost=("lead",))
    story.at(1_000, CloseForced(cause="test"), prompt())
    assert story.reading().state == "ended"


def test_a_list_with_a_gap_is_refused() -> None:
    row = Recorded(number=InputNumber(2), at_ms=0, source=Source.HOOK, what=prompt())
    with pytest.raises(ValueError, match="input 2 follows input 0"):
        advance(Whole(), row)


def test_what_was_restored_is_unconfirmed_and_never_closable(story: Story) -> None:
    story.at(0, prompt(), stop(), provenance=Provenance.RESTORED)
    assert (story.reading().confirmed, story.reading().close) == (False, "undetermined")
    story.at(1_000, prompt(), stop())
    assert (story.reading().confirmed, story.reading().close) == (True, "closable")


def test_an_event_that_the_session_failed_on_is_a_doubt(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(1, prompt(), void=True)
    assert isinstance(story.view.state, Unknown)
    assert story.view.close == Undetermined(first=InputVoid())


@pytest.mark.parametrize("told", [prompt(), stop(listed=False)])
def test_a_doubt_of_the_turn_ends_when_a_turn_is_told(story: Story, told: Input) -> None:
    story.at(0, prompt(), stop())
    story.at(1, calls(), void=True)
    story.at(2, told)
    assert not isinstance(story.view.state, Unknown)


NO_NEWS = [prompt(), stop(listed=False), stop(None, complete=False)]
NEWS = [stop(), InventoryListed(inventory=Inventory(tasks=())), prompt(of=C2), CLEAR]


@pytest.mark.parametrize("told", NO_NEWS)
def test_a_doubt_of_tasks_outlasts_the_turn(story: Story, told: Input) -> None:
    """That a shell was detached nobody says again."""
    story.at(0, prompt(of=C1), stop(of=C1))
    story.at(1, starts(BUILD, TaskKind.SHELL), void=True)
    story.at(2, told, stop(listed=False))
    assert isinstance(story.view.state, Unknown)
    assert not isinstance(story.view.close, Closable)


@pytest.mark.parametrize("told", NEWS)
def test_it_ends_with_a_whole_list_or_another_conversation(story: Story, told: Input) -> None:
    story.at(0, prompt(of=C1), stop(of=C1))
    story.at(1, starts(BUILD, TaskKind.SHELL), void=True)
    story.at(5_000, told)
    assert not isinstance(story.view.state, Unknown)


def test_it_makes_a_permit_stale_for_good(story: Story) -> None:
    story.at(0, prompt(), stop(), CloseAsked(question=QuestionId(1)))
    story.at(1, prompt(), void=True)
    story.at(2, stop(), CloseUsed(question=QuestionId(1), as_of=InputNumber(3)))
    assert story.answers[-1] == NotClosed(refusal=StalePermit(as_of=InputNumber(3)))


def test_what_a_host_asks_and_is_refused_is_no_doubt(story: Story) -> None:
    """It is answered with the fault, and may ask again."""
    story.at(0, prompt(), stop())
    story.at(1, spawn(), void=True)
    assert isinstance(story.view.state, Done)
