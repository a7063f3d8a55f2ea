"""Watch processes until they are gone, reap them, and see a stop through.

One thread watches them all, on their pidfds; a process without one (no descriptor was left, or the
system has none) is polled. The argument, in three rules:

* **A pid is signalled only while it cannot be somebody else's.** It cannot be from its start until
  it is reaped, so signalling and reaping exclude each other (``_lock``), and nobody but this
  module reaps. If somebody else does (a host that ignores SIGCHLD, or waits for any child), its
  exit status is unknown, its pidfd says that it is gone, and it is not signalled any more.
* **A stop is for the group.** TERM, a grace, KILL. If the leader ends first, it is gone and says so
  at once; it is reaped only when the rest of its group has ended or had its grace and
  was killed, because until then the group's number is its own. What left the group is not reached.
* **What is watched is told once**, whoever kills it, also if it was gone before it was watched.

Refused: ``SIGCHLD`` and asyncio's child watchers (a library must not take its host's signals);
a thread a process; ``Popen.wait`` (it polls, and reads "reaped by somebody else" as success).
"""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, TypeAlias, final

from gapless.actors.runtime.logs import contained
from gapless.actors.shells.groups import groups_that_live
from gapless.actors.shells.launch import Launched

POLL_S: Final = 0.05
"""How often is looked at what no descriptor tells of."""

KILL_AGAIN_S: Final = 1.0
"""How often what does not die at once is killed again: it may be in the kernel's hands."""

Exited: TypeAlias = Callable[[int | None], object]
"""Who hears that a process is gone: its exit status, a signal negative, ``None`` unknown."""

_FAILED: Final = "Unhandled exception in who is told of a process's end:"


@final
class Child:
    """One process, from its start until it is reaped."""

    __slots__ = ("exited", "gone", "kill_at_s", "ours", "pid", "pidfd", "popen")

    def __init__(self, launched: Launched, exited: Exited) -> None:
        self.popen: subprocess.Popen[bytes] = launched.popen
        self.pid: int = launched.popen.pid
        self.pidfd: int | None = launched.pidfd
        self.exited: Exited = exited
        self.gone: bool = False  # and told; it may stay a zombie for its group's sake
        self.ours: bool = True  # nobody else has reaped it
        self.kill_at_s: float | None = None


@final
class Watcher:
    """The processes of one host. It has a thread from the first of them until it is left."""

    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._children: dict[Child, None] = {}
        self._by_pidfd: dict[int, Child] = {}
        self._polled: dict[Child, None] = {}
        self._stopping: dict[Child, None] = {}
        self._thread: threading.Thread | None = None
        self._epoll: select.epoll | None = None
        self._wake: int = -1
        self._left: bool = False
        self._over = threading.Event()

    def open(self) -> None:
        """Be ready to watch, so that no process is started that cannot be.

        Raises:
            OSError: no descriptor is left, or no thread.
            RuntimeError: it was left before.

        """
        with self._lock:
            if self._left:
                msg = "its host has left"
                raise RuntimeError(msg)
            if self._thread is not None:
                return
            self._epoll = select.epoll()
            try:
                self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
                self._epoll.register(self._wake, select.EPOLLIN)
                thread = threading.Thread(target=self._run, name="gapless-watch", daemon=True)
                _start(thread)
            except BaseException:
                self._close()
                raise
            self._thread = thread

    def add(self, launched: Launched, exited: Exited) -> Child:
        """Watch a process; ``exited`` is called once, on the watching thread, when it is gone."""
        child = Child(launched, exited)
        with self._lock:
            self._children[child] = None
            if not self._register(child):
                self._polled[child] = None
                self._rouse()
        return child

    def stop(self, child: Child) -> str | None:
        """Ask a process's group to end, and see to it; return why not, if it was not asked."""
        with self._lock:
            if child.gone:
                return "its process is gone"
            error = self._signal(child, signal.SIGTERM)
            if error is not None:
                return error
            self._signal(child, signal.SIGCONT)  # a stopped process would not hear of it
            if child.kill_at_s is None:
                child.kill_at_s = time.monotonic() + self._grace_s
                self._stopping[child] = None
            self._rouse()
            return None

    def kill(self) -> None:
        """Kill all at once, and wait for nobody: whoever leaves has no time for a grace."""
        with self._lock:
            for child in self._children:
                self._signal(child, signal.SIGKILL)

    def forget(self, child: Child) -> None:
        """Tell nobody of a process's end; it is reaped all the same."""
        with self._lock:
            child.exited = _nobody

    def leave(self, *, stop: bool, patience_s: float) -> tuple[int, ...]:
        """End all processes and the thread, or let the processes be; return the pids that stayed.

        With ``stop`` it waits ``patience_s`` at most, beyond the grace. Without, the thread goes on
        to reap what ends, as long as this host lives, and tells nobody.
        """
        with self._lock:
            self._left = True
            children = list(self._children)
        for child in children:
            if stop:
                self.stop(child)
            else:
                self.forget(child)
        with self._lock:
            self._rouse()
        if self._thread is not None and (stop or not children):
            self._over.wait(self._grace_s + patience_s)
        with self._lock:
            return tuple(child.pid for child in self._children if not child.gone)

    def _register(self, child: Child) -> bool:
        if child.pidfd is None or self._epoll is None:
            return False
        try:
            self._epoll.register(child.pidfd, select.EPOLLIN)
        except OSError:  # the system's limit of what one user may watch
            return False
        self._by_pidfd[child.pidfd] = child
        return True

    def _rouse(self) -> None:
        if self._wake >= 0:
            with suppress(BlockingIOError):
                os.eventfd_write(self._wake, 1)

    def _run(self) -> None:
        while (ready := self._wait()) is not None:
            for child in ready:
                self._look(child)
            with self._lock:
                polled, stopping = list(self._polled), bool(self._stopping)
            for child in polled:
                self._look(child)
            if stopping:
                self._see_through()
        self._over.set()

    def _wait(self) -> list[Child] | None:
        """Return the processes whose descriptors say something; ``None`` when all is over."""
        with self._lock:
            epoll, timeout_s = self._epoll, self._timeout_s()
            if epoll is None or (self._left and not self._children):
                self._close()
                return None
        events = epoll.poll(timeout_s)
        with self._lock:
            for descriptor, _ in events:
                if descriptor == self._wake:
                    os.eventfd_read(descriptor)
            return [self._by_pidfd[it] for it, _ in events if it in self._by_pidfd]

    def _timeout_s(self) -> float:
        """Return how long only descriptors have to be looked at; -1 is for ever."""
        if self._polled or any(it.gone for it in self._stopping):
            return POLL_S
        if not self._stopping:
            return -1
        return max(0.0, min(_kill_at_s(it) for it in self._stopping) - time.monotonic())

    def _look(self, child: Child) -> None:
        """See whether a process is gone, and tell."""
        with self._lock:
            if child.gone or (status := _status(child)) is None:
                return
            child.gone = True
            self._polled.pop(child, None)
            if child.pidfd in self._by_pidfd and self._epoll is not None:
                del self._by_pidfd[child.pidfd]
                self._epoll.unregister(child.pidfd)
            if child not in self._stopping or not child.ours:
                self._reap(child)
            exited = child.exited
        contained(partial(exited, status.code), _FAILED)

    def _see_through(self) -> None:
        """Kill what has had its grace, and reap leaders whose group is over."""
        with self._lock:
            stopping = list(self._stopping)
        living = groups_that_live() if any(it.gone for it in stopping) else frozenset[int]()
        now_s = time.monotonic()
        for child in stopping:
            with self._lock:
                overdue = now_s >= _kill_at_s(child)
                if overdue:
                    self._signal(child, signal.SIGKILL)
                    child.kill_at_s = now_s + KILL_AGAIN_S
                if child.gone and (overdue or child.pid not in living):
                    self._reap(child)

    def _signal(self, child: Child, number: signal.Signals) -> str | None:
        """Signal a group while its leader is not reaped; return why not."""
        try:
            if not child.ours:
                return "its process was reaped by somebody else"
            if child.pidfd is not None:
                signal.pidfd_send_signal(child.pidfd, 0)
            os.killpg(child.pid, number)
        except OSError as error:
            return str(error)
        return None

    def _reap(self, child: Child) -> None:
        status = _status(child, reap=True)
        # What Popen believes is never asked for; but one that believes it runs complains when
        # it goes, and is waited for by its module.
        child.popen.returncode = (status.code if status else None) or 0
        if child.pidfd is not None:
            os.close(child.pidfd)
            child.pidfd = None
        for each in (self._children, self._polled, self._stopping):
            each.pop(child, None)

    def _close(self) -> None:
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
        if self._wake >= 0:
            os.close(self._wake)
            self._wake = -1


def _start(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:  # what it says for EAGAIN
        raise OSError(errno.EAGAIN, str(error)) from error


class _Status(NamedTuple):
    code: int | None


def _status(child: Child, *, reap: bool = False) -> _Status | None:
    """Return how a process ended, ``None`` while it runs."""
    options = os.WEXITED | os.WNOHANG | (0 if reap else os.WNOWAIT)
    try:
        if child.pidfd is None:
            info = os.waitid(os.P_PID, child.pid, options)
        else:
            info = os.waitid(os.P_PIDFD, child.pidfd, options)
    except ChildProcessError:
        child.ours = False
        return _Status(None)
    if info is None:
        return None
    return _Status(info.si_status if info.si_code == os.CLD_EXITED else -info.si_status)


def _kill_at_s(child: Child) -> float:
    assert child.kill_at_s is not None, child.pid  # noqa: S101 - it is being stopped
    return child.kill_at_s


def _nobody(_: int | None) -> None:
    """Hear of the end of what was forgotten."""
