"""What a CLI lets others see, so that a host knows what its silence is worth."""

from __future__ import annotations

from typing import final

from msgspec import Struct


@final
class Capabilities(Struct, frozen=True, kw_only=True, gc=False):
    """What the events of one CLI tell, where its hooks are installed.

    ``sees_interrupt``: it tells that a person interrupted; ``sees_permission``, ``sees_question``:
    that one is asked; ``sees_children``: of what its agent starts; ``has_inventory``: it lists what
    runs, so that a lost end is noticed; ``has_crons``: also what is scheduled;
    ``has_failure_class``: why a turn failed; ``has_turn_id``: which prompt an event belongs to.
    ``has_log``, ``has_status_file``: what its hooks do not tell, an interrupt above all, is in its
    session log, in its status file. Whether hooks are live in a session is shown by an event of it,
    and by nothing else (``SessionView.hooks_live``).
    """

    sees_interrupt: bool
    sees_permission: bool
    sees_question: bool
    sees_children: bool
    has_inventory: bool
    has_crons: bool
    has_failure_class: bool
    has_turn_id: bool
    has_log: bool
    has_status_file: bool
