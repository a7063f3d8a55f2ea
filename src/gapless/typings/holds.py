"""What would be lost if the session were closed now."""

from __future__ import annotations

from typing import TypeAlias, assert_never, final

from msgspec import Struct

from gapless.typings.asks import Ask
from gapless.typings.ids import CronId, TaskKey, name_of


@final
class TurnHold(Struct, frozen=True, kw_only=True, gc=False, tag="turn"):
    """The lead's turn is open."""


@final
class AskHold(Struct, frozen=True, kw_only=True, tag="ask"):
    """A person has been asked and has not answered."""

    ask: Ask


@final
class AgentHold(Struct, frozen=True, kw_only=True, gc=False, tag="agent"):
    """A child runs."""

    key: TaskKey


@final
class WorkflowHold(Struct, frozen=True, kw_only=True, gc=False, tag="workflow"):
    """A workflow runs."""

    key: TaskKey


@final
class NotificationHold(Struct, frozen=True, kw_only=True, gc=False, tag="notification"):
    """A task other than a shell ended; its notification is not settled."""

    key: TaskKey


@final
class ShellHold(Struct, frozen=True, kw_only=True, gc=False, tag="shell"):
    """Shells run, or ended with a notification that is not settled: one hold for all."""


@final
class MonitorHold(Struct, frozen=True, kw_only=True, gc=False, tag="monitor"):
    """A monitor watches."""

    key: TaskKey


@final
class CronHold(Struct, frozen=True, kw_only=True, gc=False, tag="cron"):
    """A schedule is armed; closing the session would disarm it."""

    cron: CronId


@final
class PluginHold(Struct, frozen=True, kw_only=True, gc=False, tag="plugin"):
    """A plugin's own hold, under the plugin's own category."""

    category: str
    label: str


Hold: TypeAlias = (
    TurnHold
    | AskHold
    | AgentHold
    | WorkflowHold
    | NotificationHold
    | ShellHold
    | MonitorHold
    | CronHold
    | PluginHold
)
"""The sealed set of holds."""


def hold_key(hold: Hold) -> tuple[str, str]:
    """Return ``(category, id)``: what a hold is called on the wire and in recordings."""
    match hold:
        case TurnHold():
            return "turn", "lead"
        case AskHold(ask=ask):
            return "ask", ask.agent or "lead"
        case AgentHold(key=key):
            return "agent", name_of(key)
        case WorkflowHold(key=key):
            return "workflow", name_of(key)
        case NotificationHold(key=key):
            return "notification", name_of(key)
        case ShellHold():
            return "shell", "background-shells"
        case MonitorHold(key=key):
            return "monitor", name_of(key)
        case CronHold(cron=cron):
            return "cron", cron
        case PluginHold(category=category, label=label):
            return category, label
        case _:
            assert_never(hold)
