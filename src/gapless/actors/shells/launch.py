"""Start one process in a session of its own, and name what went wrong if it did not start."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from gapless.actors.runtime.limits import shown
from gapless.actors.shells.identity import boot_id, identify, inode_of
from gapless.actors.shells.limits import Limit, limit_descriptors_of, no_descriptors
from gapless.actors.shells.logs import LogFolderError, open_log
from gapless.messages.effects import SpawnShell
from gapless.typings.processes import ProcessIdentity
from gapless.typings.spawning import (
    ArgumentsTooLong,
    CommandNotFound,
    FolderNotFound,
    NoResources,
    NoSpace,
    NotPermitted,
    NotRunnable,
    SpawnError,
    SpawnFault,
)


class Launched(NamedTuple):
    """A process that runs, and what it is watched by; without a pidfd it has to be polled."""

    popen: subprocess.Popen[bytes]
    pidfd: int | None
    identity: ProcessIdentity


def launch(effect: SpawnShell, log: Path, limit: Limit) -> Launched | SpawnError:
    """Start the process with nothing to read and its output going to ``log``, a new file.

    ``limit`` is how many descriptors it may have. After an error there is neither a process nor
    a log.
    """
    if not effect.argv or not effect.argv[0]:
        return NotRunnable(reason="no command was given")
    try:
        output = open_log(log)
    except LogFolderError as error:
        return SpawnFault(error=str(error))
    except OSError as error:
        return _log_error(error, log)
    try:
        popen = _start(effect, output)
    finally:
        os.close(output)  # before the process is named: that takes a descriptor, and here is one
    launched = _named(popen, effect, limit) if isinstance(popen, subprocess.Popen) else popen
    if not isinstance(launched, Launched):
        log.unlink(missing_ok=True)
    return launched


def _start(effect: SpawnShell, output: int) -> subprocess.Popen[bytes] | SpawnError:
    env: Mapping[str, str] | None = {**os.environ, **dict(effect.env)} if effect.env else None
    try:
        return subprocess.Popen(  # noqa: S603 - what to run is the host's own choice
            effect.argv,
            cwd=effect.cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return _spawn_error(error, effect)


def _named(
    popen: subprocess.Popen[bytes], effect: SpawnShell, limit: Limit
) -> Launched | SpawnError:
    limit_descriptors_of(popen.pid, limit)
    try:
        identity = identify(popen.pid)
    except (FileNotFoundError, ProcessLookupError):  # it is over, and reaped by somebody else
        return Launched(popen, None, ProcessIdentity(boot=boot_id(), pid=popen.pid, start_ticks=0))
    except OSError as error:  # what nobody could find again after a restart is no shell
        with suppress(OSError):
            os.killpg(popen.pid, signal.SIGKILL)
        popen.wait()
        return _spawn_error(error, effect)
    try:
        pidfd = os.pidfd_open(popen.pid)
    except OSError:  # too many descriptors, or a system that has or allows none: it is polled
        return Launched(popen, None, identity)
    identity = msgspec.structs.replace(identity, pidfd_inode=inode_of(pidfd))
    return Launched(popen, pidfd, identity)


def _log_error(error: OSError, log: Path) -> SpawnError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return NoSpace(folder=str(log.parent))
        case errno.EMFILE | errno.ENFILE:
            return no_descriptors()
        case _:
            return SpawnFault(error=f"the log: {shown(error)}")


def _size_of(effect: SpawnShell) -> int:
    """Return how much a program would be given: its arguments, and its environment, in bytes."""
    env = {**os.environ, **dict(effect.env)}
    return sum(len(os.fsencode(it)) + 1 for it in (*effect.argv, *env, *env.values()))


def _spawn_error(error: Exception, effect: SpawnShell) -> SpawnError:
    if not isinstance(error, OSError):
        return NotRunnable(reason=str(error))
    at_folder = effect.cwd is not None and error.filename == effect.cwd
    path = effect.cwd if effect.cwd is not None and at_folder else effect.argv[0]
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR if at_folder:
            return FolderNotFound(folder=path)
        case errno.ENOENT if shutil.which(path) is not None:
            return NotRunnable(reason=f"{path!r} names an interpreter that is not there")
        case errno.ENOENT | errno.ENOTDIR:
            return CommandNotFound(command=path)
        case errno.EACCES | errno.EPERM:
            return NotPermitted(path=path)
        case errno.E2BIG:
            return ArgumentsTooLong(size_bytes=_size_of(effect))
        case errno.ENOEXEC | errno.ENAMETOOLONG | errno.ELOOP:
            return NotRunnable(reason=f"{path!r}: {error.strerror}")
        case errno.EMFILE | errno.ENFILE:
            return no_descriptors()
        case errno.EAGAIN | errno.ENOMEM:
            return NoResources(reason=str(error.strerror))
        case _:
            return SpawnFault(error=shown(error))
