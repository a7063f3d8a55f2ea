"""Conversations that replace each other in one session, and the end of it all."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import (
    Boundary,
    ConversationEnded,
    ConversationStarted,
    Input,
    Inventory,
    InventoryListed,
    Launch,
    PaneCleared,
    PromptSubmitted,
)
from gapless.testing import Story
from gapless.typings.ids import HarnessSessionId, name_of
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.processes import ProcessIdentity
from tests.support.words import (
    BUILD,
    C1,
    C2,
    HELD_BY_SHELLS,
    P1,
    P2,
    PROCESS,
    asks,
    calls,
    ends,
    exits,
    prompt,
    row,
    spawn,
    spawned,
    starts,
    stop,
)

OTHER_PROCESS = ProcessIdentity(boot="b1", pid=200, start_ticks=9)
CLEAR = ConversationStarted(conversation=C2, how=Boundary.CLEAR)


def busy(story: Story) -> None:
    """A conversation with a child, a cron, an ask, an owed notification and a shell."""
    story.at(0, prompt(P1, of=C1), starts(of=C1), spawn(), spawned(), exits())
    story.at(0, starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND, call="k1", of=C1))
    story.at(9_000, stop(P1, row(), row(BUILD, TaskKind.SHELL), crons=("r1",), of=C1), asks())


@pytest.mark.parametrize("event", [CLEAR, stop(of=C2, listed=False)], ids=["start", "stop"])
def test_a_new_conversation_voids_all_but_the_shells_in_one_version(
    story: Story, event: Input
) -> None:
    busy(story)
    story.at(10_000, event)
    assert (story.reading().state, story.reading().lingering) == ("done", ("shells",))
    assert story.reading().holds == HELD_BY_SHELLS
    assert (story.view.children, story.view.asks) == ((), ())


def test_a_shell_kept_across_epochs_owes_to_the_new_one(story: Story) -> None:
    busy(story)
    story.at(10_000, CLEAR)
    story.at(20_000, ends(BUILD, None, of=C2))
    assert story.reading().reasons == ("continuation",)


def test_late_events_of_the_former_conversation_are_void(story: Story) -> None:
    story.at(0, prompt(P1, of=C1), CLEAR, prompt(P2, of=C2))
    story.at(1_000, stop(P1, of=C1), prompt(P1, of=C1), starts(of=C1))
    assert (story.reading().reasons, story.view.children) == (("lead-turn",), ())


def test_a_child_of_the_new_conversation_may_come_before_its_prompt(story: Story) -> None:
    story.at(0, prompt(P1, of=C1), starts(BUILD, of=C1), starts(of=C2), prompt(P2, of=C2))
    assert [name_of(child.key) for child in story.view.children] == ["child"]


def test_a_cli_inside_a_shell_call_of_the_lead_touches_nothing(story: Story) -> None:
    story.at(0, prompt(P1, of=C1), calls(runs=True, of=C1))
    story.at(1_000, CLEAR, prompt(P2, of=C2), starts(of=C2), stop(P2, of=C2))
    assert (story.reading().reasons, story.view.children) == (("lead-turn",), ())


def test_another_process_is_nested_as_long_as_a_shell_runs_that_it_can_be_in(story: Story) -> None:
    mine = PromptSubmitted(conversation=C1, prompt=P1, process=PROCESS)
    other = PromptSubmitted(conversation=C2, prompt=P2, process=OTHER_PROCESS)
    story.at(0, mine, starts(of=C1), starts(BUILD, TaskKind.SHELL, of=C1), stop(P1, listed=False))
    story.at(9_000, other)
    assert story.reading().reasons == ("children",)
    story.at(10_000, ends(BUILD, None, how=HowEnded.STOPPED, of=C1), other)
    assert story.reading().reasons == ("lead-turn",)
    assert story.view.children == ()


def test_the_same_process_changes_its_conversation_even_while_a_command_runs(
    story: Story,
) -> None:
    mine = PromptSubmitted(conversation=C1, prompt=P1, process=PROCESS)
    story.at(0, mine, starts(of=C1), calls(runs=True, of=C1))
    story.at(1_000, PromptSubmitted(conversation=C2, prompt=P2, process=PROCESS))
    assert story.view.children == ()


def test_what_ends_after_the_session_owes_nobody(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(BUILD, TaskKind.SHELL)), ConversationEnded())
    story.at(1_000, ends(BUILD, None))
    assert (story.reading().close, story.reading().holds) == ("closable", ())


def test_resuming_a_former_conversation_takes_over(story: Story) -> None:
    story.at(0, prompt(P1, of=C1), stop(P1, of=C1))
    story.at(10_000, CLEAR)
    story.at(20_000, ConversationStarted(conversation=C1, how=Boundary.RESUME))
    story.at(30_000, prompt(P2, of=C1))
    assert story.reading().state == "working"


def test_the_end_of_the_harness_ends_the_session(story: Story) -> None:
    story.at(0, prompt(of=C1), starts(of=C1), ConversationEnded(conversation=C1))
    assert (story.reading().state, story.reading().close) == ("ended", "closable")
    story.at(1_000, stop(of=C1), calls(of=C1))
    assert story.reading().state == "ended"


def test_the_end_of_another_conversation_does_not(story: Story) -> None:
    story.at(0, prompt(of=C1), ConversationEnded(conversation=C2))
    assert story.reading().state == "working"


def test_shells_listed_at_the_end_leave_it_undetermined_until_seen_gone(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(BUILD, TaskKind.SHELL)), ConversationEnded())
    assert (story.reading().close, story.reading().holds) == ("undetermined", HELD_BY_SHELLS)
    story.at(1_000, InventoryListed(inventory=Inventory(tasks=())))
    assert story.reading().state == "ended"


def test_an_ended_session_returns_with_a_prompt(story: Story) -> None:
    story.at(0, prompt(P1), ConversationEnded(), prompt(P1))
    assert story.reading().state == "ended"
    story.at(1_000, prompt(P2))
    assert story.reading().state == "working"


def test_a_cleared_pane_is_unknown_until_something_new_is_seen(story: Story) -> None:
    busy(story)
    story.at(10_000, PaneCleared())
    assert (story.reading().state, story.reading().close) == ("unknown", "held")
    story.at(11_000, stop(of=HarnessSessionId("c9"), listed=False))
    assert story.reading().reasons == ("continuation",)
