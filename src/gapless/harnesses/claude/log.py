"""One row of Claude Code's session log, read as inputs: evidence for what sends no hook.

The log is the model's conversation, so prompts, answers and the output of tools are in it, and any
of them may hold the words of a mark. A mark is a whole record of the right type and nothing less;
nothing is ever searched for in a text. Rows of a child (``isSidechain``) say nothing of the lead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from gapless.harnesses.claude.notices import notice
from gapless.harnesses.payload import (
    Inputs,
    Object,
    PayloadError,
    count,
    field,
    field_or_none,
    needed,
    object_of,
    object_or_none,
    objects,
    rows,
)
from gapless.messages.inputs import (
    AgentsKilled,
    CallEnded,
    Input,
    NotificationDelivered,
    TaskFinished,
    TurnEndLogged,
)
from gapless.typings.ids import CallId, HarnessSessionId, PromptId, TaskId
from gapless.typings.outcome import Failure, Success
from gapless.typings.states import Completed, Failed, Interrupted

_MARKS: Final = frozenset(
    {"[Request interrupted by user]", "[Request interrupted by user for tool use]"}
)
"""What a person's interrupt leaves in the log (measured, 2.1.332)."""


class _Row(NamedTuple):
    """A row, whose it is, and of which conversation and prompt."""

    payload: Object
    conversation: HarnessSessionId | None
    prompt: PromptId | None
    agent: TaskId | None


def read_log(row: object) -> Inputs:
    """Return what a row of the session log comes to; nothing, where it says nothing of the state.

    ``row`` is one decoded line of ``<config>/projects/<folder>/<session>.jsonl``.
    """
    try:
        found = object_of(row, "$")
        reader = _READERS.get(needed(found, "type"))
        if reader is None:
            return Success(())
        own = _row(found)
        return Success(() if own is None else reader(own))
    except PayloadError as error:
        return Failure(error.unreadable)


def _row(payload: Object) -> _Row | None:
    """Return whose row it is; a child's that names no child is nobody's."""
    conversation, prompt = field(payload, "sessionId"), field(payload, "promptId")
    agent = field(payload, "agentId")
    if agent is None and payload.get("isSidechain") is True:
        return None
    return _Row(
        payload,
        None if conversation is None else HarnessSessionId(conversation),
        None if prompt is None else PromptId(prompt),
        None if agent is None else TaskId(agent),
    )


def _user(row: _Row) -> tuple[Input, ...]:
    """Tell what the person did, what tools answered, and what was put before the model."""
    message = object_or_none(row.payload.get("message")) or {}
    content = message.get("content")
    if isinstance(content, str):
        return _delivered(row, content)
    parts = rows(message, "content", "$.message") or []
    blocks = [block for block in objects(parts) if block is not None]
    if len(parts) == len(blocks) == 1 and blocks[0].get("type") == "text":
        text = blocks[0].get("text")
        if not isinstance(text, str):
            return ()
        return _interrupted(row) if text in _MARKS else _delivered(row, text)
    answered = (field_or_none(it, "tool_use_id") for it in blocks if it.get("type") == _RESULT)
    return tuple(_call_ended(row, CallId(it)) for it in answered if it is not None)


_RESULT: Final = "tool_result"


def _call_ended(row: _Row, call: CallId) -> CallEnded:
    return CallEnded(call=call, agent=row.agent, typed=False, conversation=row.conversation)


def _interrupted(row: _Row) -> tuple[Input, ...]:
    if row.agent is not None:
        return ()
    return (TurnEndLogged(outcome=Interrupted(), prompt=row.prompt, conversation=row.conversation),)


def _delivered(row: _Row, text: str) -> tuple[Input, ...]:
    """Tell of a notification that was put before the model, if the row says that it is one."""
    origin = row.payload.get("origin")
    kind = (object_or_none(origin) or {}).get("kind", origin)
    told = notice(text) if kind == "task-notification" and row.agent is None else None
    if told is None or not told.over:
        return ()
    return (NotificationDelivered(tasks=(told.task,), conversation=row.conversation),)


def _assistant(row: _Row) -> tuple[Input, ...]:
    """Tell of a request that failed for good; what is tried again is no such row."""
    if row.payload.get("isApiErrorMessage") is not True or row.agent is not None:
        return ()
    failed = Failed(error=field_or_none(row.payload, "error") or "")
    return (TurnEndLogged(outcome=failed, prompt=row.prompt, conversation=row.conversation),)


def _system(row: _Row) -> tuple[Input, ...]:
    if row.agent is not None:
        return ()
    match field(row.payload, "subtype"):
        case "turn_duration":
            # Zero is written as absence here (reported), unlike in the lists of hooks.
            agents = count(row.payload, "pendingBackgroundAgentCount") or 0
            ended = TurnEndLogged(
                outcome=Completed(),
                prompt=row.prompt,
                agents=agents,
                conversation=row.conversation,
            )
            return (ended,)
        case "agents_killed":
            return (AgentsKilled(conversation=row.conversation),)
        case _:
            return ()


def _queued(row: _Row) -> tuple[Input, ...]:
    """Tell of a task's end: its notification is queued, long before it reaches the model."""
    content = row.payload.get("content")
    if field(row.payload, "operation") != "enqueue" or not isinstance(content, str):
        return ()
    told = notice(content)
    if told is None or told.how is None:
        return ()
    return (TaskFinished(task=told.task, how=told.how, conversation=row.conversation),)


_Reader: TypeAlias = Callable[[_Row], tuple[Input, ...]]

_READERS: Final[dict[str, _Reader]] = {
    "user": _user,
    "assistant": _assistant,
    "system": _system,
    "queue-operation": _queued,
}
"""The types of rows that say something of the state; the others come to nothing."""
