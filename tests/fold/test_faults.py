"""An owner loses an input: nothing it owns may fall until it has sent its whole state again."""

from __future__ import annotations

import pytest

from gapless.actors.fold import Whole, advance
from gapless.messages.inputs import CloseAsked, ResyncAsked
from gapless.messages.recorded import Recorded
from gapless.testing import Story
from gapless.typings.close import Closable, Undetermined
from gapless.typings.doubts import FactLost
from gapless.typings.evidence import Source
from gapless.typings.ids import InputNumber, OwnerName, QuestionId
from gapless.typings.states import Done, Unknown
from gapless.typings.view import SessionView
from tests.support.words import HELD_BY_SHELLS, exits, prompt, spawn, spawned, stop


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
