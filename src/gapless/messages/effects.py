"""What is to be done in the world once an input's view is published."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.typings.ids import InputNumber, ManagedId


@final
class SpawnShell(Struct, frozen=True, kw_only=True, tag="spawn-shell"):
    """Start the process; idempotent by ``(number, shell)``."""

    number: InputNumber
    shell: ManagedId
    argv: tuple[str, ...]
    cwd: str | None = None
    env: tuple[tuple[str, str], ...] = ()


@final
class StopShell(Struct, frozen=True, kw_only=True, gc=False, tag="stop-shell"):
    """Ask the process group to end, insist after a grace; idempotent by ``(number, shell)``."""

    number: InputNumber
    shell: ManagedId


Effect: TypeAlias = SpawnShell | StopShell
