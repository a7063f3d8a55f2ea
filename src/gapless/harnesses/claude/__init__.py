"""Claude Code, read from its hooks.

``read_hook`` takes the payload of one hook event. What hooks do not tell (Esc, a refused
permission, the end of a shell while nobody works) is in its session log and its status file.
"""

from __future__ import annotations

from gapless.harnesses.claude.hooks import CAPABILITIES, read_hook

__all__ = ["CAPABILITIES", "read_hook"]
