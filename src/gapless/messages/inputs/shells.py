"""Managed shells: real processes that Gapless started."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from gapless.messages.inputs.attribution import FromHost
from gapless.typings.ids import ManagedId
from gapless.typings.processes import ProcessIdentity
from gapless.typings.spawning import SpawnError


@final
class SpawnAsked(FromHost, frozen=True, kw_only=True, tag="spawn-asked"):
    """The host wants a shell; it holds from here on, before there is a process.

    ``env`` is added to the host's own environment. All of it stands in the list of inputs.
    """

    shell: ManagedId
    argv: tuple[str, ...]
    cwd: str | None = None
    env: tuple[tuple[str, str], ...] = ()


@final
class Spawned(Struct, frozen=True, kw_only=True, gc=False, tag="spawned"):
    """The process runs."""

    process: ProcessIdentity


@final
class SpawnFailed(Struct, frozen=True, kw_only=True, gc=False, tag="spawn-failed"):
    """There is no process, and there was none."""

    cause: SpawnError


@final
class Signalled(Struct, frozen=True, kw_only=True, gc=False, tag="signalled"):
    """The signal was sent; that is not an end."""


@final
class SignalFailed(Struct, frozen=True, kw_only=True, gc=False, tag="signal-failed"):
    """The signal was not sent."""

    error: str


EffectOutcome: TypeAlias = Spawned | SpawnFailed | Signalled | SignalFailed


@final
class EffectDone(FromHost, frozen=True, kw_only=True, tag="effect-done"):
    """An effect on a shell was carried out, or was not."""

    shell: ManagedId
    outcome: EffectOutcome


@final
class ShellExited(FromHost, frozen=True, kw_only=True, tag="shell-exited"):
    """The process is gone; ``code`` is its exit status, a signal negative, ``None`` unknown."""

    shell: ManagedId
    code: int | None = None


@final
class StopAsked(FromHost, frozen=True, kw_only=True, tag="stop-asked"):
    """The host wants a shell stopped; it runs until its process is gone."""

    shell: ManagedId


@final
class ShellGrew(FromHost, frozen=True, kw_only=True, tag="shell-grew"):
    """The shell's log has this many bytes now."""

    shell: ManagedId
    to_bytes: int


@final
class ShellAdopted(FromHost, frozen=True, kw_only=True, tag="shell-adopted"):
    """After a restart a managed process was found alive, by identity."""

    shell: ManagedId
    process: ProcessIdentity


@final
class ShellLost(FromHost, frozen=True, kw_only=True, tag="shell-lost"):
    """After a restart a managed process was not found; how it ended nobody saw."""

    shell: ManagedId
