"""What Claude Code lists as running, and the inputs that it comes to."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import (
    InventoryListed,
    PromptSubmitted,
    TaskFinished,
    TurnEnded,
)
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.states import Completed
from tests.support.claude import (
    CHILD,
    Json,
    by_child,
    event,
    prompt,
    stop,
    task,
)
from tests.support.claude_inputs import one, read


def test_a_childs_list_shows_what_runs_but_itself_and_removes_nothing() -> None:
    tasks: list[Json] = [task(CHILD, "subagent"), task("b1")]
    listed, ended = read(by_child(event("SubagentStop", background_tasks=tasks)))
    assert isinstance(listed, InventoryListed)
    assert isinstance(ended, TaskFinished)
    assert [it.task for it in listed.inventory.tasks or ()] == ["b1"]
    assert not listed.inventory.complete


def test_a_stop_ends_the_turn_and_lists_what_runs() -> None:
    ended = one(stop(task("b1"), prompt_id="p1", session_crons=[{"id": "k", "recurring": False}]))
    assert isinstance(ended, TurnEnded)
    assert (ended.outcome, ended.prompt) == (Completed(), "p1")
    assert ended.inventory is not None
    assert ended.inventory.complete
    assert [(it.task, it.running) for it in ended.inventory.tasks or ()] == [("b1", True)]
    assert [(it.cron, it.recurring) for it in ended.inventory.crons or ()] == [("k", False)]


def test_a_stop_without_lists_lists_nothing() -> None:
    ended = one(event("Stop"))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is None


def test_a_stop_that_lists_tasks_and_no_schedules_has_none() -> None:
    ended = one(event("Stop", background_tasks=[]))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert ended.inventory.crons == ()


def test_lists_in_the_middle_of_a_turn_say_no_more_than_they_do() -> None:
    submitted, listed = read(prompt(background_tasks=[]))
    assert isinstance(submitted, PromptSubmitted)
    assert isinstance(listed, InventoryListed)
    assert (listed.inventory.tasks, listed.inventory.crons) == ((), None)


@pytest.mark.parametrize(
    "row",
    [None, "shell", 42, {}, {"id": "b1"}, {"type": "shell"}, {"id": 7, "type": "shell"}],
)
def test_a_row_that_names_no_task_is_a_doubt_in_a_list_that_is_not_complete(row: Json) -> None:
    ended = one(stop(task("b1"), row))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert not ended.inventory.complete
    assert ended.inventory.tasks is not None
    known, strange = ended.inventory.tasks
    assert known.task == "b1"
    assert (strange.kind, strange.running) == (TaskKind.UNKNOWN, True)


@pytest.mark.parametrize("row", [None, {}, {"schedule": "* * * * *"}])
def test_a_schedule_that_has_no_name_is_armed_all_the_same(row: Json) -> None:
    ended = one(stop(session_crons=[row]))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert not ended.inventory.complete
    assert len(ended.inventory.crons or ()) == 1


def test_a_list_beyond_its_bound_is_incomplete() -> None:
    ended = one(stop(*(task(f"b{it}") for it in range(1_001))))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert not ended.inventory.complete
    assert ended.inventory.tasks is not None
    assert len(ended.inventory.tasks) == 1_001
    assert ended.inventory.tasks[-1].kind is TaskKind.UNKNOWN


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("shell", TaskKind.SHELL),
        ("local_agent", TaskKind.AGENT),
        (" Subagent ", TaskKind.AGENT),
        ("teammate", TaskKind.TEAMMATE),
        ("workflow", TaskKind.WORKFLOW),
        ("MCP task", TaskKind.UNKNOWN),
    ],
)
def test_words_for_kinds_of_tasks(word: str, kind: TaskKind) -> None:
    ended = one(stop(task("b1", word)))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert ended.inventory.tasks is not None
    (row,) = ended.inventory.tasks
    assert (row.kind, row.word) == (kind, "mcp task" if kind is TaskKind.UNKNOWN else "")


@pytest.mark.parametrize(
    ("status", "how"),
    [
        ("completed", HowEnded.COMPLETED),
        (" Failed ", HowEnded.FAILED),
        ("killed", HowEnded.STOPPED),
        ("running", None),
        ("a word of next year", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_what_is_not_known_to_be_over_runs(status: Json, how: HowEnded | None) -> None:
    ended = one(stop({"id": "b1", "type": "shell", "status": status}))
    assert isinstance(ended, TurnEnded)
    assert ended.inventory is not None
    assert ended.inventory.tasks is not None
    (row,) = ended.inventory.tasks
    assert (row.running, row.how) == (how is None, how or HowEnded.COMPLETED)
