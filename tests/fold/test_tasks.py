"""Children and reported tasks: lives, lost and early ends, inventories."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import (
    Inventory,
    InventoryListed,
    Launch,
    NotificationDelivered,
    RestoredTask,
    TaskFinished,
    TaskSeen,
    TasksRestored,
    TaskStarted,
    TeammateParked,
)
from gapless.testing import Story
from gapless.typings.ids import TaskId
from gapless.typings.phases import TaskKind
from tests.support.words import (
    BUILD,
    CHILD,
    HELD_BY_SHELLS,
    OTHER,
    calls,
    ends,
    life,
    prompt,
    row,
    starts,
    stop,
)

MATE = TaskStarted(task=CHILD, kind=TaskKind.AGENT, teammate="mate")


@pytest.mark.parametrize(("after_ms", "children"), [(0, 0), (2_000, 0), (2_001, 1)])
def test_an_end_cancels_one_start_that_comes_within_2_s(
    story: Story, after_ms: int, children: int
) -> None:
    story.at(0, prompt(), ends())
    story.at(after_ms, starts())
    assert len(story.view.children) == children


def test_it_cancels_only_one(story: Story) -> None:
    story.at(0, prompt(), ends(), starts())
    story.at(3_000, starts())
    assert [child.key for child in story.view.children] == [life(CHILD, 2)]


def test_a_repeated_start_right_after_the_end_is_no_new_life(story: Story) -> None:
    story.at(0, prompt(), starts())
    story.at(5_000, ends())
    story.at(7_000, starts(), calls("k9", agent=CHILD))
    assert story.view.children == ()


def test_a_later_one_is(story: Story) -> None:
    story.at(0, prompt(), starts(), ends())
    story.at(2_001, starts())
    assert [child.key for child in story.view.children] == [life(CHILD, 2)]


def test_so_is_a_call_the_child_never_made_before(story: Story) -> None:
    story.at(0, prompt(), starts(), ends())
    story.at(2_001, calls("k9", agent=CHILD))
    assert [child.key for child in story.view.children] == [life(CHILD, 2)]


def test_a_launch_heard_after_the_end_lets_it_owe(story: Story) -> None:
    story.at(0, prompt(), starts(), ends())
    story.at(1_000, starts(launch=Launch.BACKGROUND, call="k1"))
    story.at(1_500, stop())
    assert story.reading().reasons == ("continuation",)


def test_a_complete_inventory_removes_what_it_does_not_list(story: Story) -> None:
    story.at(0, prompt(), starts(), starts(OTHER), stop(None, row(OTHER)))
    assert [child.key for child in story.view.children] == [life(OTHER, 2)]


def test_an_incomplete_one_removes_nothing(story: Story) -> None:
    story.at(0, prompt(), starts(), starts(OTHER), stop(None, row(OTHER), complete=False))
    assert len(story.view.children) == 2


def test_none_at_all_removes_nothing(story: Story) -> None:
    story.at(0, prompt(), starts(), stop(listed=False))
    assert len(story.view.children) == 1


def test_an_inventory_does_not_revive_a_child_that_was_heard_to_end(story: Story) -> None:
    story.at(0, prompt(), starts())
    story.at(5_000, ends())
    story.at(5_500, InventoryListed(inventory=Inventory(tasks=(row(),))))
    assert story.view.children == ()


def test_a_newer_one_does(story: Story) -> None:
    story.at(0, prompt(), starts())
    story.at(5_000, ends())
    story.at(7_001, InventoryListed(inventory=Inventory(tasks=(row(),))))
    assert [child.key for child in story.view.children] == [life(CHILD, 2)]


def test_one_long_shell_does_not_keep_all_the_others_remembered(story: Story) -> None:
    story.at(0, prompt(), starts(BUILD, TaskKind.SHELL))
    for number in range(30):
        task = TaskId(f"t{number}")
        story.at(number * 10_000, starts(task, TaskKind.SHELL), ends(task, None))
        story.at(number * 10_000 + 5_000, NotificationDelivered(tasks=(task,)), stop(listed=False))
    assert len(story.whole.session.ledger.tasks) < 5


def test_a_task_of_unknown_type_is_a_doubt_and_neither_work_nor_closable(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(CHILD, TaskKind.UNKNOWN)))
    assert (story.reading().state, story.reading().close) == ("unknown", "undetermined")


def test_a_teammate_parks_and_owes_nothing(story: Story) -> None:
    story.at(0, prompt(), MATE, stop(None, row(TaskId("t"), TaskKind.TEAMMATE)))
    assert story.reading().reasons == ("children",)
    story.at(1_000, TeammateParked(teammate="mates"))
    assert story.reading().reasons == ("children",)
    story.at(2_000, TeammateParked(teammate="mate"))
    assert story.reading().state == "done"
    story.at(2_001, MATE)
    assert story.reading().reasons == ("children",)


def test_one_that_is_listed_as_a_child_ends_as_a_child(story: Story) -> None:
    story.at(0, prompt(), MATE, stop(None, row()))
    story.at(1_000, ends())
    assert story.reading().reasons == ("continuation",)


def test_a_child_without_a_type_that_never_started_is_no_child(story: Story) -> None:
    story.at(0, prompt(), TaskSeen(task=CHILD, typed=False))
    story.at(0, TaskFinished(task=OTHER, kind=TaskKind.AGENT, typed=False))
    story.at(1_000, starts(OTHER))
    assert [child.key for child in story.view.children] == [life(OTHER, 1)]


def test_restored_children_hold_unconfirmed_until_something_live_vouches(story: Story) -> None:
    story.at(0, TasksRestored(tasks=(RestoredTask(task=CHILD),)), stop(listed=False))
    assert (story.reading().state, story.reading().confirmed) == ("working", False)
    story.at(1_000, stop(None, row()))
    assert story.reading().confirmed


def test_a_shell_alone_never_makes_a_session_work(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(BUILD, TaskKind.SHELL)))
    assert (story.reading().state, story.reading().lingering) == ("done", ("shells",))
    assert (story.reading().holds, story.reading().close) == (HELD_BY_SHELLS, "held")


def test_nor_does_a_monitor(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(BUILD, TaskKind.MONITOR)))
    assert (story.reading().state, story.reading().lingering) == ("done", ("monitors",))
    assert story.reading().holds == (("monitor", "build"),)


def test_a_workflow_is_work(story: Story) -> None:
    story.at(0, prompt(), stop(None, row(BUILD, TaskKind.WORKFLOW)))
    assert story.reading().reasons == ("children",)
    assert story.reading().holds == (("workflow", "build"),)


def test_a_detached_child_wakes_nobody(story: Story) -> None:
    story.at(0, prompt(), starts(launch=Launch.DETACHED), stop(listed=False))
    story.at(1_000, ends())
    assert story.reading().state == "done"
