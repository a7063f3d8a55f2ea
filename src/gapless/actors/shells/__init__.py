"""Real processes for managed shells: started, watched until they are gone, stopped, read."""

from __future__ import annotations

from gapless.actors.shells.logs import LogFolderError
from gapless.actors.shells.output import Output
from gapless.actors.shells.table import (
    Leaving,
    NoSuchShell,
    ProcessTable,
    ShellProcesses,
    ShellRecord,
    Unreadable,
)

__all__ = [
    "Leaving",
    "LogFolderError",
    "NoSuchShell",
    "Output",
    "ProcessTable",
    "ShellProcesses",
    "ShellRecord",
    "Unreadable",
]
