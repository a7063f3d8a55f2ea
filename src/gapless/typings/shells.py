"""What a host can know of a managed shell beside its phase: its record and its output."""

from __future__ import annotations

from typing import Literal, TypeAlias, final

from msgspec import Struct

from gapless.typings.ids import ManagedId

Leaving: TypeAlias = Literal["stop", "detach"]
"""What becomes of shells whose host leaves: they are ended, or go on without it."""


@final
class ShellRecord(Struct, frozen=True, kw_only=True, gc=False):
    """What a shell runs, the path of its log, and how its process ended.

    ``code`` is the exit status, a signal negative; ``None`` while it runs (``gone`` is false), and
    where nobody can know.
    """

    shell: ManagedId
    argv: tuple[str, ...]
    log: str
    gone: bool = False
    code: int | None = None


@final
class Output(Struct, frozen=True, kw_only=True, gc=False):
    """A piece of a shell's output.

    ``offset`` is where ``text`` begins, ``next_offset`` where to read on, and ``size_bytes`` how
    much there is by now, in bytes of the log. ``over``: the process is gone and this reaches the
    end of the log; a child that it left behind may still write.
    """

    text: str
    offset: int
    next_offset: int
    size_bytes: int
    over: bool


@final
class NoSuchShell(Struct, frozen=True, kw_only=True, gc=False, tag="no-such-shell"):
    """The session never started it, or has forgotten it since."""

    shell: ManagedId


@final
class Unreadable(Struct, frozen=True, kw_only=True, gc=False, tag="unreadable"):
    """Its log cannot be read."""

    error: str


ReadFailure: TypeAlias = NoSuchShell | Unreadable
"""Why there is no output to be had."""
