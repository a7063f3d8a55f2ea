"""Real processes for managed shells: started, watched until they are gone, stopped, read."""

from __future__ import annotations

from gapless.actors.shells.logs import LogFolderError
from gapless.actors.shells.table import ProcessTable, ShellProcesses

__all__ = ["LogFolderError", "ProcessTable", "ShellProcesses"]
