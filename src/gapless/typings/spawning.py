"""Why a shell has no process: each cause its own type, and what to do about it in words."""

from __future__ import annotations

from typing import TypeAlias, assert_never, final

from msgspec import Struct


@final
class CommandNotFound(Struct, frozen=True, kw_only=True, gc=False, tag="command-not-found"):
    """There is no such program (``ENOENT``)."""

    command: str


@final
class FolderNotFound(Struct, frozen=True, kw_only=True, gc=False, tag="folder-not-found"):
    """The working folder is not there, or is no folder (``ENOENT``, ``ENOTDIR``)."""

    folder: str


@final
class NotPermitted(Struct, frozen=True, kw_only=True, gc=False, tag="not-permitted"):
    """The user may not run that, or not there (``EACCES``, ``EPERM``)."""

    path: str


@final
class NotRunnable(Struct, frozen=True, kw_only=True, gc=False, tag="not-runnable"):
    """No system could run this: no command at all, a NUL in it, or no program's format."""

    reason: str


@final
class ArgumentsTooLong(Struct, frozen=True, kw_only=True, gc=False, tag="arguments-too-long"):
    """The arguments and the environment are more than the system takes (``E2BIG``)."""

    size_bytes: int


@final
class NoDescriptors(Struct, frozen=True, kw_only=True, gc=False, tag="no-descriptors"):
    """The host's process, or the machine, has no file descriptor left (``EMFILE``, ``ENFILE``).

    ``limit`` is the process's own.
    """

    limit: int


@final
class NoResources(Struct, frozen=True, kw_only=True, gc=False, tag="no-resources"):
    """The machine has no process or no memory left to give (``EAGAIN``, ``ENOMEM``)."""

    reason: str


@final
class NoSpace(Struct, frozen=True, kw_only=True, gc=False, tag="no-space"):
    """The disk of the logs is full, or this user's share of it (``ENOSPC``, ``EDQUOT``)."""

    folder: str


@final
class SpawnFault(Struct, frozen=True, kw_only=True, gc=False, tag="spawn-fault"):
    """Anything else."""

    error: str


SpawnError: TypeAlias = (
    CommandNotFound
    | FolderNotFound
    | NotPermitted
    | NotRunnable
    | ArgumentsTooLong
    | NoDescriptors
    | NoResources
    | NoSpace
    | SpawnFault
)
"""Why there is no process, and there was none."""


def explain(error: SpawnError) -> str:
    """Say what was wrong and what to do, in one line for a person."""
    match error:
        case CommandNotFound(command=command):
            return f"command not found: {command!r}; is it installed, and on PATH?"
        case FolderNotFound(folder=folder):
            return f"there is no folder {folder!r} to run it in"
        case NotPermitted(path=path):
            return f"not permitted: {path!r}; may this user execute it, and enter its folder?"
        case NotRunnable(reason=reason):
            return f"it cannot be run: {reason}"
        case ArgumentsTooLong(size_bytes=size_bytes):
            return f"{size_bytes:,} bytes of arguments and environment are too many; use a file"
        case NoDescriptors(limit=limit):
            return f"no file descriptor is left of {limit}; raise the hard limit (ulimit -Hn)"
        case NoResources(reason=reason):
            return f"the machine has no process or memory left: {reason}"
        case NoSpace(folder=folder):
            return f"no space is left for a log in {folder!r}"
        case SpawnFault(error=fault):
            return fault
        case _:
            assert_never(error)
