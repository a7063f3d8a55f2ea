"""Claude Code, read from its hooks, its session log and its status file.

``read_hook`` takes the payload of one hook event. What hooks do not tell (Esc, a refused
permission, the end of a shell while nobody works) is in the log, a row of which ``read_log`` takes,
and in the status file, whose content ``read_status`` takes.
"""

from __future__ import annotations

from gapless.harnesses.claude.hooks import CAPABILITIES, read_hook
from gapless.harnesses.claude.log import read_log
from gapless.harnesses.claude.status import read_status

__all__ = ["CAPABILITIES", "read_hook", "read_log", "read_status"]
