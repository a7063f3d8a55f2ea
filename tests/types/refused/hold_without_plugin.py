"""Whoever matches holds hears of those of plugins."""

from typing import assert_never

from gapless.typings import holds


def ours(hold: holds.Hold) -> bool:
    match hold:
        case holds.TurnHold() | holds.AskHold() | holds.CronHold():
            return True
        case holds.AgentHold() | holds.WorkflowHold() | holds.NotificationHold():
            return True
        case holds.ShellHold() | holds.MonitorHold():
            return True
        case _:
            assert_never(hold)  # refused: arg-type, reportArgumentType


ours(holds.TurnHold())
