"""One row of Claude Code's session log, or its status file, and the inputs that it comes to."""

from __future__ import annotations

import pytest

from gapless.harnesses.claude import read_log, read_status
from gapless.harnesses.payload import Inputs, Unreadable
from gapless.messages.inputs import (
    AgentsKilled,
    CallEnded,
    Input,
    NotificationDelivered,
    StatusRead,
    StatusWord,
    TaskFinished,
    TurnEndLogged,
)
from gapless.typings.ids import CallId, HarnessSessionId, PromptId, TaskId
from gapless.typings.outcome import Failure, Success
from gapless.typings.phases import HowEnded
from gapless.typings.states import Completed, Failed, Interrupted
from tests.support.claude import CHILD, Json, Payload, notification
from tests.support.claude_log import MARK, MARKS, queued, result, row, said, status, words

COUNT = "$.pendingBackgroundAgentCount"
C1 = HarnessSessionId("c1")


def inputs(outcome: Inputs) -> tuple[Input, ...]:
    assert isinstance(outcome, Success), outcome
    return outcome.unwrap()


def unreadable(outcome: Inputs) -> Unreadable:
    assert isinstance(outcome, Failure), outcome
    return outcome.failure()


@pytest.mark.parametrize("mark", MARKS)
def test_the_mark_of_an_interrupt_is_one(mark: str) -> None:
    ended = TurnEndLogged(outcome=Interrupted(), conversation=C1)
    assert inputs(read_log(said("user", words(mark)))) == (ended,)


def test_a_mark_may_name_its_prompt() -> None:
    (ended,) = inputs(read_log(said("user", words(MARK), promptId="p1")))
    assert isinstance(ended, TurnEndLogged)
    assert ended.prompt == PromptId("p1")


@pytest.mark.parametrize(
    "forged",
    [
        said("assistant", words(MARK)),
        said("user", words(f"{MARK} ")),
        said("user", words(MARK), words(MARK)),
        said("user", result("t1", MARK)),
        said("user", words(MARK), isSidechain=True),
        said("user", words(MARK), isSidechain=True, agentId=CHILD),
        row("user", message={"role": "user", "content": MARK}),
        row("user", message=MARK),
        row("system", content=MARK),
        row("summary", summary=MARK),
        queued(MARK),
    ],
)
def test_the_same_words_elsewhere_are_none(forged: Payload) -> None:
    assert not any(isinstance(it, TurnEndLogged) for it in inputs(read_log(forged)))


def test_a_tools_answer_ends_its_call() -> None:
    ended = inputs(read_log(said("user", result("t1"), result("t2"))))
    assert [it.call for it in ended if isinstance(it, CallEnded)] == [CallId("t1"), CallId("t2")]


def test_a_tools_answer_to_a_child_ends_the_childs_call() -> None:
    (ended,) = inputs(read_log(said("user", result("t1"), isSidechain=True, agentId=CHILD)))
    assert ended == CallEnded(call=CallId("t1"), agent=TaskId(CHILD), typed=False, conversation=C1)


@pytest.mark.parametrize(
    ("word", "how"),
    [
        ("completed", HowEnded.COMPLETED),
        ("failed", HowEnded.FAILED),
        ("killed", HowEnded.STOPPED),
        ("some new word", HowEnded.COMPLETED),
    ],
)
def test_a_queued_notification_is_the_end_of_its_task(word: str, how: HowEnded) -> None:
    finished = TaskFinished(task=TaskId("b1"), how=how, conversation=C1)
    assert inputs(read_log(queued(notification("b1", word)))) == (finished,)


@pytest.mark.parametrize(
    "waiting",
    [
        queued("and then test it"),
        queued(notification("b1", "running")),
        queued(f"see: {notification('b1')}"),
        queued(notification("b1"), "dequeue"),
        queued(notification("b1"), "remove"),
        queued([notification("b1")]),
        queued(None),
    ],
)
def test_what_else_is_queued_ends_nothing(waiting: Payload) -> None:
    assert inputs(read_log(waiting)) == ()


def test_a_notification_that_the_row_says_is_one_was_delivered() -> None:
    delivered = NotificationDelivered(tasks=(TaskId("b1"),), conversation=C1)
    origin: Json = {"kind": "task-notification"}
    told = row("user", message={"content": notification("b1")}, origin=origin)
    assert inputs(read_log(told)) == (delivered,)
    typed = row("user", message={"content": notification("b1")})
    assert inputs(read_log(typed)) == ()


@pytest.mark.parametrize(("fields", "agents"), [({}, 0), ({"pendingBackgroundAgentCount": 2}, 2)])
def test_a_turns_duration_ends_it_and_counts_agents(fields: Payload, agents: int) -> None:
    ended = TurnEndLogged(outcome=Completed(), agents=agents, conversation=C1)
    assert inputs(read_log(row("system", subtype="turn_duration", **fields))) == (ended,)


def test_all_agents_are_killed() -> None:
    killed = AgentsKilled(conversation=C1)
    assert inputs(read_log(row("system", subtype="agents_killed"))) == (killed,)


def test_a_request_that_failed_for_good_ends_the_turn() -> None:
    failed = said("assistant", words("API Error"), isApiErrorMessage=True, error="rate_limit")
    ended = TurnEndLogged(outcome=Failed(error="rate_limit"), conversation=C1)
    assert inputs(read_log(failed)) == (ended,)


@pytest.mark.parametrize(
    "told",
    [
        row("system", subtype="api_error", retryAttempt=1),
        row("system", subtype="compact_boundary"),
        row("file-history-snapshot", snapshot={}),
        said("user", words("hello")),
        said("assistant", words("done"), stop_reason="end_turn"),
    ],
)
def test_the_rest_says_nothing_of_the_state(told: Payload) -> None:
    assert inputs(read_log(told)) == ()


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        ([], "$"),
        ({}, "$.type"),
        (row("user", message={"content": 7}), "$.message.content"),
        (row("user", sessionId=7), "$.sessionId"),
        *(
            (row("system", subtype="turn_duration", pendingBackgroundAgentCount=it), COUNT)
            for it in ("1", -1, True, 10**30)
        ),
    ],
)
def test_what_cannot_be_read_says_where(broken: Json, path: str) -> None:
    assert unreadable(read_log(broken)).path == path


@pytest.mark.parametrize("word", StatusWord)
def test_a_status_is_its_word(word: StatusWord) -> None:
    assert inputs(read_status(status(str(word)))) == (StatusRead(word=word),)


@pytest.mark.parametrize("word", ["dreaming", "  Idle?", "working"])
def test_a_word_nobody_knows_is_unknown(word: str) -> None:
    assert inputs(read_status(status(word))) == (StatusRead(word=StatusWord.UNKNOWN),)


def test_a_status_has_the_stamp_of_its_word() -> None:
    both = status("busy", updatedAt=7, statusUpdatedAt=5)
    assert inputs(read_status(both)) == (StatusRead(word=StatusWord.BUSY, changed_ms=5),)
    one = status("busy", updatedAt=7)
    assert inputs(read_status(one)) == (StatusRead(word=StatusWord.BUSY, changed_ms=7),)


def test_a_stamp_that_cannot_be_read_is_none() -> None:
    told = status("idle", updatedAt="2026-11-30T10:00:00Z")
    assert inputs(read_status(told)) == (StatusRead(word=StatusWord.IDLE),)


@pytest.mark.parametrize("content", [{}, status(None), status(""), {"missing": True}])
def test_a_file_without_a_status_says_nothing(content: Payload) -> None:
    assert inputs(read_status(content)) == ()


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        (None, "$"),
        (status(7), "$.status"),
        (status("x" * 600), "$.status"),
    ],
)
def test_a_status_that_cannot_be_read_says_where(broken: Json, path: str) -> None:
    assert unreadable(read_status(broken)).path == path
