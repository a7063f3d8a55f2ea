"""Payloads of Claude Code's hooks, as short as they come: what each event carries, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"
Payload: TypeAlias = dict[str, Json]

CHILD = "a1b2c3d4e5f60718"


def event(name: str, **fields: Json) -> Payload:
    return {"hook_event_name": name, "session_id": "c1", **fields}


def by_child(payload: Payload, agent: str = CHILD, kind: str = "general-purpose") -> Payload:
    return {**payload, "agent_id": agent, "agent_type": kind}


def prompt(text: str = "go on", **fields: Json) -> Payload:
    return event("UserPromptSubmit", prompt=text, **fields)


def stop(*tasks: Json, **fields: Json) -> Payload:
    return event("Stop", background_tasks=list(tasks), **{"session_crons": [], **fields})


def task(name: str, kind: str = "shell", status: str = "running") -> Payload:
    return {"id": name, "type": kind, "status": status, "description": ""}


def call(tool: str = "Bash", use: str = "t1", **arguments: Json) -> Payload:
    return event("PreToolUse", tool_name=tool, tool_use_id=use, tool_input=arguments)


def called(
    tool: str = "Bash", use: str = "t1", answer: Mapping[str, Json] | None = None, **arguments: Json
) -> Payload:
    return event(
        "PostToolUse",
        tool_name=tool,
        tool_use_id=use,
        tool_input=arguments,
        tool_response=dict(answer or {}),
    )


def permission(tool: str = "Bash", **arguments: Json) -> Payload:
    return event("PermissionRequest", tool_name=tool, tool_input=arguments)


def notification(name: str, status: str = "completed", summary: str = "It ended") -> str:
    """Return the prompt by which Claude Code tells its model of an end."""
    return (
        f"<task-notification>\n<task-id>{name}</task-id>\n<tool-use-id>t1</tool-use-id>\n"
        f"<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    )
