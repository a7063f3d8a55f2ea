"""Every threshold there is, with its unit, its default and where the number comes from."""

from __future__ import annotations

from typing import Final, final

from msgspec import Struct


@final
class Settings(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """Thresholds of a session. All times are milliseconds of session time."""

    owed_lease_ms: int = 60_000
    """Idle time of the lead after which an owed continuation no longer makes a session
    work. Claude Code delivers within 0.04 to 0.13 s (measured), 8 s at worst (reported)."""

    active_lease_ms: int = 600_000
    """Idle time of the lead after which a continuation that was taken counts as lost.
    Our choice: ten minutes is longer than any queue in front of a model seen so far."""

    child_lease_ms: int = 7_200_000
    """Time without a sign of life and without an inventory after which a child is unknown.
    Users of comparable trackers asked for 30 min to 2 h; the longer one loses less."""

    early_end_ms: int = 2_000
    """How long the end of a task never seen to start cancels a start that comes late
    (up to and including this). Hook processes overtook each other by up to 0.4 s."""

    status_lag_ms: int = 2_500
    """How far a harness's status file or log may be behind its hooks, or ahead of them. Claude
    Code's file was up to 2.5 s behind on a loaded machine, 0.3 s on an idle one (measured)."""

    late_boundary_ms: int = 2_000
    """How long after its first prompt a conversation's own start may still be late news."""

    jump_tolerance_ms: int = 5_000
    """How late the session's alarm may be before the time up to it counts as a clock jump
    (a suspended process, a stopped machine). A jump expires nothing."""

    part_timeout_ms: int = 1_000
    """How long an owner may be silent before its part of an input counts as lost."""

    ask_edge_ms: int = 300
    """How long an ask has to stand until somebody is told. Automatic approvals are given within
    that (measured)."""

    tells_turn_over: bool = False
    """Whether the end of each turn of the lead is announced too, whatever goes on beside it."""

    effect_retry_ms: int = 5_000
    """How long an effect may take until it is asked for again. Our choice: to start or to signal
    a process takes milliseconds, and whoever does it does nothing twice."""

    most_waiting: int = 10_000
    """How many inputs may wait for their number until a host's call is refused. What is only
    told is always taken. Our choice: a few seconds of work, and a few megabytes."""

    remembered: int = 64
    """How many finished ids (calls, prompts, tasks) of one kind are remembered, to tell a late
    or repeated event from a new one. Events are late by seconds, not by 64 calls; each id costs
    a session up to half a kilobyte. A forgotten id counts as new."""

    def __post_init__(self) -> None:
        """Refuse what no clock and no count can be.

        Raises:
            ValueError: a setting is negative.

        """
        for name in self.__struct_fields__:
            if getattr(self, name) < 0:
                msg = f"{name} is negative: {getattr(self, name)}"
                raise ValueError(msg)


DEFAULTS: Final = Settings()
