"""What the tools of Claude Code tell of what they start and stop.

A tool that starts something in the background returns at once, with the id of what it started. The
words are those of 2.1.332; where a tool has two names, an older version used the other.
"""

from __future__ import annotations

from typing import Final

from gapless.harnesses.payload import Object, field_or_none, object_or_none
from gapless.messages.inputs import AskKind, Launch, TaskFinished, TaskStarted
from gapless.typings.ids import CallId, HarnessSessionId, TaskId
from gapless.typings.phases import HowEnded, TaskKind

SHELLS: Final = frozenset({"Bash", "PowerShell"})
"""Tools that run a command, which may be another CLI."""

ASKS: Final = {"AskUserQuestion": AskKind.QUESTION, "ExitPlanMode": AskKind.PLAN}
"""Tools whose call is itself a request to a person."""

_AGENTS: Final = frozenset({"Agent", "Task"})
_STOPS: Final = frozenset({"TaskStop", "KillShell", "KillBash"})
_TELLS: Final[dict[str, tuple[TaskKind, str]]] = {
    "Bash": (TaskKind.SHELL, "backgroundTaskId"),
    "PowerShell": (TaskKind.SHELL, "backgroundTaskId"),
    "Monitor": (TaskKind.MONITOR, "taskId"),
    "Workflow": (TaskKind.WORKFLOW, "taskId"),
}
"""What a tool starts in the background, and where its answer names it."""


def effects_of(
    tool: str,
    arguments: object,
    response: object,
    call: CallId,
    conversation: HarnessSessionId | None,
) -> tuple[TaskStarted | TaskFinished, ...]:
    """Return what a call that went well started or stopped."""
    said = object_or_none(response) or {}
    if tool in _STOPS:
        stopped = _name(object_or_none(arguments) or {}, "task_id", "shell_id", "bash_id")
        if stopped is None:
            return ()
        return (TaskFinished(task=stopped, how=HowEnded.STOPPED, conversation=conversation),)
    if tool in _AGENTS:
        return _agent(said, call, conversation)
    if tool not in _TELLS:
        return ()
    kind, where = _TELLS[tool]
    task = _name(said, where)
    if task is None:
        return ()
    return (_launched(task, kind, call, conversation),)


def _agent(
    said: Object, call: CallId, conversation: HarnessSessionId | None
) -> tuple[TaskStarted | TaskFinished, ...]:
    """Tell a child that goes on in the background from one whose result is the answer."""
    task = _name(said, "agentId")
    if task is None:
        return ()
    if said.get("isAsync") is True or said.get("status") == "async_launched":
        return (_launched(task, TaskKind.AGENT, call, conversation),)
    returned = TaskFinished(
        task=task, kind=TaskKind.AGENT, how=HowEnded.RETURNED, conversation=conversation
    )
    return (returned,)


def _launched(
    task: TaskId, kind: TaskKind, call: CallId, conversation: HarnessSessionId | None
) -> TaskStarted:
    return TaskStarted(
        task=task, kind=kind, launch=Launch.BACKGROUND, call=call, conversation=conversation
    )


def _name(said: Object, *names: str) -> TaskId | None:
    """Return the first of these names; a tool answers what it likes."""
    found = next(filter(None, (field_or_none(said, name) for name in names)), None)
    return None if found is None else TaskId(found)
