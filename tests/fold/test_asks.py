"""Waiting for a person: what raises it, and the one thing that releases each."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import AskAnswered, AskKind, AskRaised, Input, TurnInterrupted
from gapless.testing import Story
from gapless.typings.ids import AskId, CallDigest
from tests.support.words import CHILD, asks, calls, ends, prompt, returns, row, starts, stop


@pytest.mark.parametrize(
    "release",
    [
        returns(),
        returns(None),
        prompt(),
        stop(),
        TurnInterrupted(),
        AskAnswered(digest=CallDigest("make")),
    ],
    ids=[
        "its call's end",
        "an end by digest",
        "a typed prompt",
        "the stop",
        "an interrupt",
        "word",
    ],
)
def test_a_permission_is_released_by(story: Story, release: Input) -> None:
    story.at(0, prompt(), calls(), asks())
    assert story.reading().reasons == ("permission",)
    story.at(1_000, release)
    assert story.reading().state != "waiting"


@pytest.mark.parametrize(
    "event",
    [calls("k2", "ls"), returns("k2", "ls"), prompt(typed=False), starts(), ends()],
    ids=["a new call", "a sibling's end", "an injected prompt", "a child", "a child's end"],
)
def test_a_permission_is_not_released_by(story: Story, event: Input) -> None:
    story.at(0, prompt(), calls("k2", "ls"), calls(), asks())
    story.at(1_000, event)
    assert story.reading().state == "waiting"


def test_a_question_is_answered_when_its_agent_calls_again(story: Story) -> None:
    story.at(0, prompt(), calls(), asks(AskKind.QUESTION))
    story.at(1_000, calls())
    assert story.reading().reasons == ("question",)
    story.at(2_000, calls("k2", "ls"))
    assert story.reading().state == "working"


def test_an_ask_pairs_with_a_call_that_starts_late(story: Story) -> None:
    story.at(0, prompt(), asks())
    story.at(1_000, calls("k1", "make"), calls("k2", "make"), returns("k2", "make"))
    assert story.reading().state == "waiting"
    story.at(2_000, returns("k1", "make"))
    assert story.reading().state == "working"


def test_one_of_two_equal_calls_cannot_be_chosen_so_either_ends_it(story: Story) -> None:
    story.at(0, prompt(), calls("k1"), calls("k2"), asks())
    story.at(1_000, returns("k2"))
    assert story.reading().state == "working"


def test_a_repeated_request_for_a_call_that_is_over_asks_nobody(story: Story) -> None:
    story.at(0, prompt(), calls(), asks(), returns())
    story.at(1_000, asks())
    assert story.reading().state == "working"


def test_the_same_command_can_be_asked_for_again_in_the_next_turn(story: Story) -> None:
    story.at(0, prompt(), calls(), asks(), returns(), stop())
    story.at(1_000, prompt(), asks())
    assert story.reading().state == "waiting"


def test_a_repeated_ask_is_one_ask(story: Story) -> None:
    asked = AskRaised(kind=AskKind.PERMISSION, ask=AskId("a1"))
    story.at(0, prompt(), asked, asked)
    assert len(story.view.asks) == 1
    story.at(1_000, AskAnswered(ask=AskId("a1")), asked)
    assert story.reading().state == "working"


def test_a_childs_ask_outlives_the_leads_turn_and_ends_with_the_child(story: Story) -> None:
    story.at(0, prompt(), starts(), asks(agent=CHILD))
    story.at(1_000, stop(None, row()))
    assert (story.reading().state, story.reading().lead) == ("waiting", "done")
    story.at(2_000, ends())
    assert story.reading().state == "working"


def test_a_child_that_the_inventory_says_is_over_asks_no_longer(story: Story) -> None:
    story.at(0, prompt(), starts(), asks(agent=CHILD))
    story.at(1_000, stop(None, row(running=False)))
    assert story.reading().state == "done"


def test_an_interrupt_of_the_lead_leaves_a_childs_ask(story: Story) -> None:
    story.at(0, prompt(), starts(), asks(agent=CHILD), TurnInterrupted())
    assert story.reading().state == "waiting"


def test_an_ended_child_asks_nobody(story: Story) -> None:
    story.at(0, prompt(), starts(), ends(), asks(agent=CHILD))
    assert story.reading().state == "working"
