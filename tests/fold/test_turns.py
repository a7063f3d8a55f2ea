"""The lead's turn: what opens it, what ends it, what leaves it alone."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import (
    Boundary,
    ContinuationTaken,
    ConversationStarted,
    CronRow,
    Input,
    Inventory,
    InventoryListed,
    NotificationSettled,
    TurnInterrupted,
)
from gapless.testing import Story
from gapless.typings.ids import CronId, TaskId
from gapless.typings.lead import TurnClosed
from gapless.typings.states import AtBoundary, Completed, Failed, TurnOutcome
from tests.support.words import (
    C1,
    C2,
    CHILD,
    P1,
    P2,
    SHELL,
    asks,
    calls,
    exits,
    failed_stop,
    prompt,
    returns,
    spawn,
    spawned,
    starts,
    stop,
)


def outcome(story: Story) -> TurnOutcome | None:
    return story.view.lead.outcome if isinstance(story.view.lead, TurnClosed) else None


@pytest.mark.parametrize("event", [prompt(), calls("k9"), asks()], ids=["prompt", "call", "ask"])
def test_a_prompt_a_new_call_or_an_ask_reopens_a_turn(story: Story, event: Input) -> None:
    story.at(0, prompt(), stop())
    story.at(1_000, event)
    assert story.reading().lead in {"working", "waiting"}


@pytest.mark.parametrize(
    "event", [calls(), returns(), returns("k9")], ids=["known call", "its end", "an unknown end"]
)
def test_late_news_of_a_call_does_not(story: Story, event: Input) -> None:
    story.at(0, prompt(), calls(), stop())
    story.at(1_000, event)
    assert story.reading().state == "done"


@pytest.mark.parametrize("event", [calls("k9"), asks()], ids=["call", "ask"])
def test_after_an_interrupt_only_a_prompt_reopens_it(story: Story, event: Input) -> None:
    story.at(0, prompt(), TurnInterrupted())
    story.at(1_000, event)
    assert (story.reading().state, story.reading().lead) == ("done", "interrupted")
    story.at(2_000, prompt())
    assert story.reading().lead == "working"


def test_an_interrupt_counts_only_while_there_is_something_to_interrupt(story: Story) -> None:
    story.at(0, prompt(), stop(), TurnInterrupted())
    assert story.reading().lead == "done"


def test_an_interrupt_leaves_children_at_work(story: Story) -> None:
    story.at(0, prompt(), starts(), TurnInterrupted())
    assert story.reading().reasons == ("children",)


@pytest.mark.parametrize("late", [prompt(P1), stop(P1, listed=False)], ids=["prompt", "stop"])
def test_a_repeat_of_a_finished_prompt_changes_nothing(story: Story, late: Input) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(1_000, prompt(P2))
    view = story.view
    story.at(2_000, late)
    assert story.view.lead == view.lead
    story.at(3_000, stop(P2))
    assert story.reading().state == "done"


def test_the_turn_lasts_until_its_newest_prompt_ends(story: Story) -> None:
    story.at(0, prompt(P1), prompt(P2), stop(P1))
    assert story.reading().state == "working"
    story.at(1_000, stop(P2))
    assert story.reading().state == "done"


@pytest.mark.parametrize("opens", [prompt(), ContinuationTaken(keys=(SHELL,))])
def test_a_repeated_stop_ends_no_turn_that_has_no_prompt_of_its_own(
    story: Story, opens: Input
) -> None:
    story.at(0, prompt(P1), spawn(), stop(P1))
    story.at(1_000, exits(), opens)
    story.at(9_000, stop(P1))
    assert story.reading().state == "working"


def test_it_reconciles_nothing(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(1_000, prompt(P2), starts(), stop(P2, listed=False))
    story.at(9_000, stop(P1))
    assert len(story.view.children) == 1


def test_it_ends_the_turn_that_a_call_resumed(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1), calls("k9"))
    assert story.reading().state == "working"
    story.at(1_000, stop(P1))
    assert story.reading().state == "done"


def test_the_end_of_an_older_prompt_reconciles_nothing(story: Story) -> None:
    story.at(0, prompt(P1), prompt(P2), starts(), stop(P1))
    assert len(story.view.children) == 1


def test_repeated_ends_agree_in_either_order() -> None:
    for events in ((stop(), failed_stop()), (failed_stop(), stop())):
        story = Story()
        story.at(0, prompt(), *events)
        assert outcome(story) == Failed(error="rate_limit")


def test_a_clean_stop_takes_back_an_interrupt(story: Story) -> None:
    story.at(0, prompt(), TurnInterrupted(), stop())
    assert outcome(story) == Completed()


def test_a_conversation_begins_idle_and_finishes_nothing(story: Story) -> None:
    story.at(0, ConversationStarted(conversation=C1, how=Boundary.STARTUP))
    assert (story.reading().state, outcome(story)) == ("done", AtBoundary())


def test_a_harness_that_does_not_say_idle_begins_unknown(story: Story) -> None:
    story.at(0, ConversationStarted(how=Boundary.STARTUP, idle=False))
    assert story.reading().state == "unknown"


def test_its_start_may_come_after_its_first_prompt(story: Story) -> None:
    story.at(0, prompt(P1, of=C1))
    story.at(2_000, ConversationStarted(conversation=C1, how=Boundary.STARTUP))
    assert story.reading().state == "working"


def test_but_not_for_ever(story: Story) -> None:
    story.at(0, prompt(P1, of=C1))
    story.at(2_001, ConversationStarted(conversation=C1, how=Boundary.RESUME))
    assert story.reading().state == "done"


def test_a_compaction_changes_nothing(story: Story) -> None:
    story.at(0, prompt(of=C1))
    story.at(9_000, ConversationStarted(conversation=C2, how=Boundary.COMPACT))
    assert story.reading().state == "working"


def test_armed_crons_hold_after_the_leads_end(story: Story) -> None:
    story.at(0, prompt(), stop(crons=("r1",)))
    assert story.reading().reasons == ("crons",)
    story.at(1_000, InventoryListed(inventory=Inventory(crons=())))
    assert (story.reading().state, story.reading().close) == ("done", "closable")


def test_after_an_interrupt_they_hold_the_close_but_not_the_state(story: Story) -> None:
    story.at(0, prompt(), stop(crons=("r1",)))
    story.at(1_000, prompt(), TurnInterrupted())
    assert (story.reading().state, story.reading().close) == ("done", "held")
    assert story.reading().holds == (("cron", "r1"),)


def test_a_list_of_crons_that_was_cut_off_disarms_none(story: Story) -> None:
    story.at(0, prompt(), stop(crons=("r1",)))
    cut = Inventory(crons=(CronRow(cron=CronId("r2")),), complete=False)
    story.at(1_000, InventoryListed(inventory=cut))
    assert story.reading().holds == (("cron", "r1"), ("cron", "r2"))


def test_a_child_with_the_leads_call_ids_touches_nothing_of_the_lead(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(1_000, calls("k1", agent=CHILD), asks(agent=TaskId("other")))
    assert story.reading().lead == "done"


def test_a_late_call_of_a_turn_that_was_cut_short_is_over(story: Story) -> None:
    story.at(0, prompt(of=C1), TurnInterrupted())
    story.at(1_000, calls(runs=True))
    story.at(2_000, prompt(of=C2))  # so this is no CLI inside that call
    assert story.reading().reasons == ("lead-turn",)


def test_a_continuation_that_ends_leaves_no_call_of_an_earlier_turn_open(story: Story) -> None:
    story.at(0, prompt(of=C1), spawn(), spawned(), exits(), TurnInterrupted())
    story.at(1_000, calls(runs=True))
    story.at(2_000, ContinuationTaken(keys=(SHELL,)), NotificationSettled(key=SHELL))
    story.at(3_000, prompt(of=C2))
    assert story.reading().reasons == ("lead-turn",)
