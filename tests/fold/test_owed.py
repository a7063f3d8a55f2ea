"""Owed continuations and the leases that bound them."""

from __future__ import annotations

import pytest

from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs import (
    AskKind,
    ContinuationTaken,
    Input,
    Inventory,
    InventoryListed,
    Launch,
    NotificationDelivered,
    NotificationSettled,
    PaneCaptured,
    StopAsked,
    TaskSeen,
    TimerFired,
)
from gapless.testing import Story
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.supervision import Fine, Supervision, Suspected
from gapless.typings.view import SessionView
from tests.support.words import (
    BUILD,
    CHILD,
    HELD_BY_SHELLS,
    SECOND,
    SHELL,
    asks,
    calls,
    ends,
    exits,
    life,
    prompt,
    returns,
    row,
    spawn,
    spawned,
    starts,
    stop,
)


def owed_child(story: Story) -> None:
    """A child launched in the background ends 1 s after the lead's turn did."""
    story.at(0, prompt(), starts(launch=Launch.BACKGROUND, call="k1"))
    story.at(1_000, stop(None, row()))
    story.at(2_000, ends())


def stuck(story: Story) -> Supervision:
    return story.view.supervision


@pytest.mark.parametrize(
    ("after_ms", "state"), [(0, "working"), (59_999, "working"), (60_000, "done"), (60_001, "done")]
)
def test_an_owed_continuation_works_for_60_s_of_idleness(
    story: Story, after_ms: int, state: str
) -> None:
    owed_child(story)
    story.at(2_000 + after_ms)
    assert story.reading().state == state


def test_an_alarm_that_rings_early_finds_nothing_due(story: Story) -> None:
    owed_child(story)
    story.at(61_999, TimerFired(due_ms=61_999))
    assert story.reading().state == "working"


def test_when_it_never_comes_the_hold_falls_and_why_keeps_it(story: Story) -> None:
    owed_child(story)
    assert story.reading().holds == (("notification", "child"),)
    story.at(62_000)
    assert story.reading().holds == ()
    assert story.reading().close == "closable"
    assert "owed notification of child never came" in {it.text for it in story.why()}


def test_the_60_s_run_from_the_later_of_its_end_and_the_turns_end(story: Story) -> None:
    owed_child(story)
    story.at(30_000, prompt())
    story.at(40_000, stop(listed=False))
    story.at(99_999)
    assert story.reading().state == "working"
    story.at(100_000)
    assert story.reading().state == "done"


def test_they_stand_still_while_a_person_is_asked(story: Story) -> None:
    owed_child(story)
    story.at(12_000, asks(agent=BUILD))
    story.at(112_000, returns(None, agent=BUILD))
    story.at(112_000, ends(BUILD, how=HowEnded.STOPPED))
    story.at(161_999)
    assert story.reading().state == "working"
    story.at(162_000)
    assert story.reading().state == "done"


def test_a_clock_jump_expires_nothing(story: Story) -> None:
    owed_child(story)
    story.jump(5_000_000, PaneCaptured(hash="h"))
    assert story.reading().state == "working"
    story.at(5_059_999)
    assert story.reading().state == "working"
    story.at(5_060_000)
    assert story.reading().state == "done"


def test_a_clock_that_goes_back_stops_no_lease(story: Story) -> None:
    owed_child(story)
    story.jump(0, PaneCaptured(hash="h"))
    story.jump(59_999, PaneCaptured(hash="h"))
    assert story.reading().state == "working"
    story.at(60_000)
    assert story.reading().state == "done"


def test_alarms_that_are_always_late_still_end_a_lease(story: Story) -> None:
    owed_child(story)
    story.jump(80_000, TimerFired(due_ms=62_000))
    assert story.reading().state == "working"
    story.jump(160_000, TimerFired(due_ms=62_000))
    assert story.reading().state == "done"


def test_its_turn_settles_it_and_one_turn_can_settle_several(story: Story) -> None:
    story.at(0, prompt(), starts(launch=Launch.BACKGROUND, call="k1"))
    story.at(0, starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND, call="k2"))
    story.at(1_000, stop(None, row(), row(BUILD, TaskKind.SHELL)))
    story.at(2_000, ends(), ends(BUILD, None))
    assert story.reading().reasons == ("continuation",)
    story.at(3_000, prompt(typed=False, delivers=(CHILD, BUILD)))
    story.at(4_000, stop())
    assert (story.reading().state, story.reading().holds) == ("done", ())


def test_a_notification_delivered_inside_a_turn_is_settled_with_it(story: Story) -> None:
    story.at(0, prompt(), starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND, call="k1"))
    story.at(1_000, NotificationDelivered(tasks=(BUILD,)))
    assert story.reading().holds == HELD_BY_SHELLS
    story.at(2_000, stop())
    assert (story.reading().state, story.reading().holds) == ("done", ())


def test_a_vanished_task_owes_as_one_that_ended(story: Story) -> None:
    story.at(0, prompt(), starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND, call="k1"))
    story.at(1_000, stop(None, row(BUILD, TaskKind.SHELL)))
    story.at(2_000, InventoryListed(inventory=Inventory(tasks=())))
    assert story.reading().reasons == ("continuation",)


@pytest.mark.parametrize("how", [HowEnded.STOPPED, HowEnded.RETURNED])
def test_what_the_agent_stopped_or_awaited_itself_owes_nothing(story: Story, how: HowEnded) -> None:
    story.at(0, prompt(), starts(launch=Launch.BACKGROUND, call="k1"))
    story.at(1_000, stop(None, row()))
    story.at(2_000, ends(how=how))
    assert story.reading().state == "done"


def test_a_child_of_the_open_turn_owes_nothing(story: Story) -> None:
    story.at(0, prompt(), starts(), ends(), stop())
    assert (story.reading().state, story.reading().holds) == ("done", ())


def test_a_child_whose_end_overtook_the_stop_that_lists_it_owes(story: Story) -> None:
    story.at(0, prompt(), starts())
    story.at(5_000, ends())
    story.at(5_100, stop(None, row()))
    assert story.reading().reasons == ("continuation",)


@pytest.mark.parametrize(
    "late", [stop(None, row()), starts(launch=Launch.BACKGROUND, call="k1")], ids=["stop", "launch"]
)
def test_an_end_that_owes_after_all_ended_when_it_was_heard_to(story: Story, late: Input) -> None:
    story.at(0, prompt(), starts())
    story.at(5_000, ends())
    story.at(6_000, late, stop())
    story.at(7_001, TaskSeen(task=CHILD))  # 2 s after its end, not after what made it owe
    assert ("agent", CHILD) in story.reading().holds
    assert ("notification", CHILD) in story.reading().holds


def test_the_end_of_a_child_is_no_idleness_of_a_lead_never_seen(story: Story) -> None:
    story.at(0, starts(), ends())
    assert (story.reading().state, story.reading().lead) == ("unknown", "unknown")


def test_a_managed_shells_end_holds_until_it_is_settled(story: Story) -> None:
    story.at(0, prompt(), spawn(), spawned(), stop())
    story.at(1_000, exits())
    assert story.reading().reasons == ("continuation",)
    story.at(60_999)
    assert story.reading().state == "working"
    story.at(61_000)
    assert (story.reading().state, story.reading().close) == ("done", "held")
    story.at(9_000_000, NotificationSettled(key=SHELL))
    assert (story.reading().holds, story.reading().close) == ((), "closable")


def test_the_turn_that_carries_it_settles_it(story: Story) -> None:
    story.at(0, prompt(), spawn(), spawned(), stop())
    story.at(1_000, exits(), ContinuationTaken(keys=(SHELL,)))
    assert story.reading().reasons == ("lead-turn",)
    assert story.reading().holds == HELD_BY_SHELLS
    story.at(2_000, calls(), returns(), stop())
    assert (story.reading().state, story.reading().holds) == ("done", ())


def test_a_continuation_that_only_the_host_vouches_for_ends_when_it_settles_all(
    story: Story,
) -> None:
    story.at(0, prompt(), spawn(), spawn(SECOND), stop(), exits(), exits(SECOND))
    story.at(1_000, ContinuationTaken(keys=(SHELL, SECOND)), NotificationSettled(key=SHELL))
    assert story.reading().state == "working"
    story.at(2_000, NotificationSettled(key=SECOND))
    assert (story.reading().state, story.reading().close) == ("done", "closable")


def test_a_continuation_that_was_taken_and_never_heard_of_is_suspect(story: Story) -> None:
    story.at(0, prompt(), spawn(), spawned(), stop(), exits())
    story.at(1_000, ContinuationTaken(keys=(SHELL,)))
    story.at(600_999)
    assert stuck(story) == Fine()
    story.at(601_000)
    assert isinstance(stuck(story), Suspected)
    assert (story.reading().holds, story.reading().close) == (HELD_BY_SHELLS, "undetermined")
    story.at(602_000, prompt(typed=False), stop())
    assert (stuck(story), story.reading().close) == (Fine(), "closable")


def test_no_continuation_is_taken_while_a_turn_is_open(story: Story) -> None:
    story.at(0, prompt(), spawn(), exits(), ContinuationTaken(keys=(SHELL,)))
    story.at(1_000, stop())
    assert story.reading().reasons == ("continuation",)


def test_a_notification_settled_before_its_end_is_heard_stays_settled(story: Story) -> None:
    story.at(0, stop(), spawn(), spawned(), NotificationSettled(key=SHELL))
    assert story.reading().holds == HELD_BY_SHELLS
    story.at(1_000, exits())
    assert (story.reading().state, story.reading().holds) == ("done", ())


def test_a_child_without_a_sign_of_life_is_unknown_after_2_h_never_done(story: Story) -> None:
    story.at(0, prompt(), starts(), stop(listed=False))
    story.at(7_199_999)
    assert story.reading().state == "working"
    story.at(7_200_000)
    assert (story.reading().state, story.reading().close) == ("unknown", "undetermined")
    story.at(7_300_000, calls(agent=CHILD))
    assert story.reading().state == "working"


def test_a_wait_never_expires(story: Story) -> None:
    story.at(0, prompt(), calls(), asks(AskKind.PERMISSION))
    story.at(10**10)
    assert story.reading().state == "waiting"


def test_the_view_says_when_it_wants_to_be_woken(story: Story) -> None:
    owed_child(story)
    views: list[SessionView] = [story.view]
    story.at(62_000)
    views.append(story.view)
    assert [view.next_wake_ms for view in views] == [62_000, None]


def test_a_life_is_named_in_start_order(story: Story) -> None:
    story.at(0, prompt(), starts(BUILD), starts(CHILD))
    assert [child.key for child in story.view.children] == [life(BUILD, 1), life(CHILD, 2)]


def test_whatever_joined_a_turn_is_settled_when_the_host_ends_it(story: Story) -> None:
    """The host settles all that its own turn carried, and by that ends it."""
    story.at(0, prompt(), starts(), spawn(), spawned(), stop(None, row()))
    story.at(1_000, exits(), ContinuationTaken(keys=(SHELL,)))
    story.at(2_000, NotificationDelivered(tasks=(CHILD,)), NotificationSettled(key=SHELL))
    assert story.reading().state == "done"
    assert story.reading().holds == ()


def test_a_shell_that_is_stopped_while_it_starts_is_stopped_once_it_runs(story: Story) -> None:
    story.at(0, spawn(), StopAsked(shell=SHELL))
    assert [type(it) for it in story.effects] == [SpawnShell]
    story.at(1, spawned())
    assert [type(it) for it in story.effects] == [SpawnShell, StopShell]
