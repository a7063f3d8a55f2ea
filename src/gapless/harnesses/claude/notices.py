"""The terminal notification that Claude Code puts before its model as a prompt.

It is one block and nothing else. What it says comes first, each thing in a tag of its own; then
comes text that others wrote: the summary, the result of a child, a line that a monitored command
printed. Such text may hold the same tags, so reading ends where it begins.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gapless.harnesses.claude.inventory import how_ended
from gapless.harnesses.payload import LONGEST_NAME
from gapless.typings.ids import TaskId
from gapless.typings.phases import HowEnded

_OPENS: Final = "<task-notification>"
_CLOSES: Final = "</task-notification>"
_TAG: Final = re.compile(
    rf"\s*<(task-id|tool-use-id|output-file|status)>([^<>]{{1,{LONGEST_NAME * 8}}})</\1>"
)

_GOES_ON: Final = frozenset({"running", "started", "pending", "in_progress", "queued"})
"""Words that are no end; all others that a status may have are one."""


class Notice(NamedTuple):
    """A notification: of which task, and how that ended; ``None`` if it goes on."""

    task: TaskId
    how: HowEnded | None

    @property
    def over(self) -> bool:
        """Whether it says that the task is over."""
        return self.how is not None


def notice(prompt: str) -> Notice | None:
    """Return the notification that a prompt is; none, if it is anything else besides."""
    body = prompt.strip()
    if not (body.startswith(_OPENS) and body.endswith(_CLOSES)):
        return None
    said: dict[str, str] = {}
    start = len(_OPENS)
    while (tag := _TAG.match(body, start)) is not None and tag[1] not in said:
        said[tag[1]] = tag[2].strip()
        start = tag.end()
    task, status = said.get("task-id", ""), said.get("status", "").lower()
    if not task or len(task) > LONGEST_NAME:
        return None
    goes_on = not status or status in _GOES_ON
    return Notice(TaskId(task), None if goes_on else how_ended(status) or HowEnded.COMPLETED)
