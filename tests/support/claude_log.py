"""Rows of Claude Code's session log, and contents of its status file."""

from __future__ import annotations

from tests.support.claude import Json, Payload

MARK = "[Request interrupted by user]"
MARKS = (MARK, "[Request interrupted by user for tool use]")


def row(kind: str, **fields: Json) -> Payload:
    return {"type": kind, "sessionId": "c1", "isSidechain": False, **fields}


def said(kind: str, *blocks: Json, **fields: Json) -> Payload:
    return row(kind, message={"role": kind, "content": list(blocks)}, **fields)


def words(text: str) -> Payload:
    return {"type": "text", "text": text}


def result(use: str, content: Json = "ok") -> Payload:
    return {"type": "tool_result", "tool_use_id": use, "content": content}


def queued(content: Json, operation: str = "enqueue") -> Payload:
    return row("queue-operation", operation=operation, content=content)


def status(word: Json, **fields: Json) -> Payload:
    return {"pid": 41, "sessionId": "c1", "kind": "interactive", "status": word, **fields}
