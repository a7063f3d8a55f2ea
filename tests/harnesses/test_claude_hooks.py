"""One hook event of Claude Code, and the inputs that it comes to."""

from __future__ import annotations

import pytest

from gapless.harnesses.claude import read_hook
from gapless.harnesses.payload import Unreadable
from gapless.messages.inputs import (
    AskAnswered,
    AskKind,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    Launch,
    PromptSubmitted,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
    TurnEnded,
)
from gapless.typings.outcome import Failure
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.states import Failed, Interrupted
from tests.support.claude import (
    CHILD,
    Json,
    Payload,
    by_child,
    call,
    called,
    event,
    notification,
    permission,
    prompt,
    stop,
)
from tests.support.claude_inputs import one, read


def unreadable(payload: Json) -> Unreadable:
    outcome = read_hook(payload)
    assert isinstance(outcome, Failure), outcome
    return outcome.failure()


@pytest.mark.parametrize("how", list(Boundary))
def test_a_session_start_is_a_boundary(how: Boundary) -> None:
    started = one(event("SessionStart", source=how.value))
    assert isinstance(started, ConversationStarted)
    assert (started.how, started.conversation) == (how, "c1")


@pytest.mark.parametrize("source", [None, "", "a word of next year"])
def test_a_start_of_an_unknown_kind_says_nothing(source: str | None) -> None:
    assert read(event("SessionStart", source=source)) == ()


def test_a_childs_session_start_says_nothing_of_the_lead() -> None:
    assert read(by_child(event("SessionStart", source="startup"))) == ()


@pytest.mark.parametrize("reason", ["clear", "resume"])
def test_an_end_that_announces_the_next_conversation_ends_nothing(reason: str) -> None:
    assert read(event("SessionEnd", reason=reason)) == ()


@pytest.mark.parametrize("reason", ["other", "logout", "prompt_input_exit", None])
def test_any_other_end_is_the_end(reason: str | None) -> None:
    assert isinstance(one(event("SessionEnd", reason=reason)), ConversationEnded)


@pytest.mark.parametrize(
    ("source", "typed"),
    [(None, True), ("user", True), ("system", False), ("loop_wakeup", False), ("sdk", False)],
)
def test_only_a_person_types(source: str | None, typed: bool) -> None:  # noqa: FBT001
    submitted = one(prompt(source=source, prompt_id="p1"))
    assert isinstance(submitted, PromptSubmitted)
    assert (submitted.typed, submitted.prompt) == (typed, "p1")


@pytest.mark.parametrize("status", ["completed", "failed", "killed", "a word of next year"])
def test_a_whole_notification_delivers_its_task(status: str) -> None:
    submitted = one(prompt(notification("b1", status)))
    assert isinstance(submitted, PromptSubmitted)
    assert (submitted.typed, submitted.delivers) == (False, ("b1",))


@pytest.mark.parametrize("status", ["running", "pending"])
def test_a_status_that_is_no_end_delivers_nothing(status: str) -> None:
    submitted = one(prompt(notification("b1", status)))
    assert isinstance(submitted, PromptSubmitted)
    assert (submitted.typed, submitted.delivers) == (False, ())


@pytest.mark.parametrize(
    "text",
    [
        (
            "<task-notification><task-id>b1</task-id><event><status>completed</status></event>"
            "</task-notification>"
        ),
        (
            "<task-notification><task-id>b1</task-id><summary><status>completed</status></summary>"
            "</task-notification>"
        ),
        (
            "<task-notification><task-id>b1</task-id><result>x</result><status>completed</status>"
            "</task-notification>"
        ),
    ],
)
def test_what_others_wrote_into_a_notification_is_no_status(text: str) -> None:
    submitted = one(prompt(text))
    assert isinstance(submitted, PromptSubmitted)
    assert (submitted.typed, submitted.delivers) == (False, ())


@pytest.mark.parametrize(
    "text",
    [
        f"look: {notification('b1')}",
        f"{notification('b1')} what does that mean?",
        notification("b1").replace("<task-id>b1</task-id>", ""),
        notification("x" * 600),
        "",
    ],
)
def test_a_notification_that_is_quoted_delivers_nothing(text: str) -> None:
    submitted = one(prompt(text))
    assert isinstance(submitted, PromptSubmitted)
    assert (submitted.typed, submitted.delivers) == (True, ())


def test_a_childs_prompt_is_a_sign_of_life() -> None:
    seen = one(by_child(prompt()))
    assert isinstance(seen, TaskSeen)
    assert (seen.task, seen.typed) == (CHILD, True)


def test_a_call_and_its_permission_have_one_digest_and_another_call_has_not() -> None:
    started, asked = one(call(command="ls", n=1)), one(permission(n=1, command="ls"))
    other = one(permission(command="ls -l", n=1))
    assert isinstance(started, CallStarted)
    assert isinstance(asked, AskRaised)
    assert isinstance(other, AskRaised)
    assert started.digest == asked.digest != other.digest
    assert (started.call, started.shell, asked.kind) == ("t1", True, AskKind.PERMISSION)


@pytest.mark.parametrize(
    ("tool", "kind"), [("AskUserQuestion", AskKind.QUESTION), ("ExitPlanMode", AskKind.PLAN)]
)
def test_a_tool_that_asks_a_person_waits_at_once(tool: str, kind: AskKind) -> None:
    started, asked = read(call(tool))
    again = one(permission(tool))
    assert isinstance(started, CallStarted)
    assert isinstance(asked, AskRaised)
    assert isinstance(again, AskRaised)
    assert (asked.kind, again.kind, asked.digest) == (kind, kind, again.digest)


def test_a_childs_call_is_the_childs() -> None:
    started = one(by_child(call()))
    assert isinstance(started, CallStarted)
    assert (started.agent, started.typed) == (CHILD, True)


def test_what_has_no_type_may_be_no_child() -> None:
    started = one(by_child(call(), kind=""))
    assert isinstance(started, CallStarted)
    assert (started.agent, started.typed) == (CHILD, False)


@pytest.mark.parametrize(
    ("tool", "answer", "kind"),
    [
        ("Bash", {"backgroundTaskId": "b1"}, TaskKind.SHELL),
        ("Bash", {"backgroundTaskId": "b1", "backgroundedByUser": True}, TaskKind.SHELL),
        ("Monitor", {"taskId": "b1"}, TaskKind.MONITOR),
        ("Workflow", {"taskId": "b1", "status": "async_launched"}, TaskKind.WORKFLOW),
        ("Agent", {"agentId": "b1", "isAsync": True}, TaskKind.AGENT),
        ("Task", {"agentId": "b1", "status": "async_launched"}, TaskKind.AGENT),
    ],
)
def test_what_goes_on_in_the_background_runs_before_its_call_is_over(
    tool: str, answer: Payload, kind: TaskKind
) -> None:
    started, ended = read(called(tool, answer=answer))
    assert isinstance(started, TaskStarted)
    assert isinstance(ended, CallEnded)
    assert (started.task, started.kind, started.launch) == ("b1", kind, Launch.BACKGROUND)
    assert started.call == ended.call == "t1"


def test_a_child_whose_result_is_the_answer_owes_nothing() -> None:
    finished, _ = read(called("Agent", answer={"agentId": "a1", "status": "completed"}))
    assert isinstance(finished, TaskFinished)
    assert (finished.task, finished.how) == ("a1", HowEnded.RETURNED)


@pytest.mark.parametrize(
    ("tool", "name"), [("TaskStop", "task_id"), ("KillShell", "shell_id"), ("KillBash", "bash_id")]
)
def test_what_the_agent_stops_is_over(tool: str, name: str) -> None:
    finished, _ = read({**called(tool), "tool_input": {name: "b1"}})
    assert isinstance(finished, TaskFinished)
    assert (finished.task, finished.how) == ("b1", HowEnded.STOPPED)


@pytest.mark.parametrize("answer", ["text", 7, None, ["b1"], {"backgroundTaskId": 7}])
def test_a_tool_may_answer_what_it_likes(answer: Json) -> None:
    payload = {**called(), "tool_response": answer}
    assert isinstance(one(payload), CallEnded)


@pytest.mark.parametrize("name", ["PostToolUseFailure", "PermissionDenied"])
def test_a_call_that_fails_or_is_refused_is_over(name: str) -> None:
    ended = one({**call(), "hook_event_name": name})
    assert isinstance(ended, CallEnded)
    assert ended.call == "t1"


def test_a_batch_ends_all_its_calls() -> None:
    rows: list[Json] = [{"tool_name": "Bash", "tool_use_id": it} for it in ("t1", "t2")]
    ended = read(event("PostToolBatch", tool_calls=[*rows, "junk", {}]))
    assert [it.call for it in ended if isinstance(it, CallEnded)] == ["t1", "t2"]


def test_a_request_of_an_mcp_server_is_answered_by_its_id_or_by_the_server() -> None:
    for field in ({"elicitation_id": "e1"}, {"mcp_server_name": "m"}):
        asked = one({**event("Elicitation"), **field})
        answered = one({**event("ElicitationResult", action="accept"), **field})
        assert isinstance(asked, AskRaised)
        assert isinstance(answered, AskAnswered)
        assert (asked.ask, asked.digest) == (answered.ask, answered.digest)


def test_a_child_starts_and_ends() -> None:
    started, ended = one(by_child(event("SubagentStart"))), one(by_child(event("SubagentStop")))
    assert isinstance(started, TaskStarted)
    assert isinstance(ended, TaskFinished)
    assert (started.task, started.kind, started.teammate) == (CHILD, TaskKind.AGENT, None)
    assert (ended.task, ended.how) == (CHILD, HowEnded.COMPLETED)


def test_a_named_child_is_a_teammate() -> None:
    started = one(by_child(event("SubagentStart"), "alane-hooks-6d3c"))
    assert isinstance(started, TaskStarted)
    assert (started.kind, started.teammate) == (TaskKind.TEAMMATE, "lane-hooks")


def test_an_internal_fork_starts_no_child() -> None:
    assert read(by_child(event("SubagentStart"), kind="")) == ()


@pytest.mark.parametrize("name", ["Stop", "StopFailure"])
def test_an_end_that_names_a_child_is_the_childs(name: str) -> None:
    ended = one(by_child(event(name)))
    assert isinstance(ended, TaskFinished)
    assert ended.task == CHILD


def test_a_stop_of_an_old_version_may_say_that_it_was_interrupted() -> None:
    ended = one(stop(is_interrupt=True))
    assert isinstance(ended, TurnEnded)
    assert ended.outcome == Interrupted()


@pytest.mark.parametrize("error", ["rate_limit", "a word of next year", ""])
def test_a_turn_fails_with_the_word_for_why(error: str) -> None:
    ended = one(event("StopFailure", error=error))
    assert isinstance(ended, TurnEnded)
    assert ended.outcome == Failed(error=error)


def test_a_compaction_that_was_asked_for_is_a_turn_and_another_is_not() -> None:
    assert isinstance(one(event("PostCompact", trigger="manual")), TurnEnded)
    assert read(event("PostCompact", trigger="auto")) == ()


def test_a_reminder_that_nobody_types_ends_the_turn_of_its_prompt() -> None:
    ended = one(event("Notification", notification_type="idle_prompt", prompt_id="p1"))
    assert isinstance(ended, TurnEnded)
    assert (ended.prompt, ended.inventory) == ("p1", None)


def test_a_teammate_parks() -> None:
    parked = one(event("TeammateIdle", teammate_name="lane"))
    assert isinstance(parked, TeammateParked)
    assert parked.teammate == "lane"


@pytest.mark.parametrize("name", ["Notification", "PreCompact", "TaskCreated", "NextYear"])
def test_what_says_nothing_of_the_state_comes_to_nothing(name: str) -> None:
    assert read(event(name, message="hello", notification_type="idle_prompt")) == ()


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        ([], "$"),
        ("Stop", "$"),
        (None, "$"),
        ({}, "$.hook_event_name"),
        ({"hook_event_name": 7}, "$.hook_event_name"),
        (event("PreToolUse", tool_name="Bash"), "$.tool_use_id"),
        (event("PreToolUse", tool_use_id="t1"), "$.tool_name"),
        (event("SubagentStop"), "$.agent_id"),
        (event("TeammateIdle", teammate_name=""), "$.teammate_name"),
        (event("Stop", background_tasks={}), "$.background_tasks"),
        (event("Stop", session_id=["c1"]), "$.session_id"),
        (event("Stop", prompt_id="p" * 513), "$.prompt_id"),
        (event("UserPromptSubmit", prompt=7), "$.prompt"),
        (event("PostToolBatch", tool_calls=[{"tool_use_id": 7}]), "$.tool_calls[].tool_use_id"),
    ],
)
def test_what_cannot_be_read_says_where(payload: Json, path: str) -> None:
    assert unreadable(payload).path == path
