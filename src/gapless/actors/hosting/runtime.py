"""The runtime a host embeds: sessions by name, the processes of their shells, and one way out.

Started on the thread of a running event loop, it runs on that loop; else on a thread of its own.
A ``Session`` is the same in both.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
from collections.abc import Callable
from itertools import count
from typing import Final, Self, final

from gapless.actors.hosting.doing import Effects
from gapless.actors.hosting.pending import Pending
from gapless.actors.hosting.processes import Processes
from gapless.actors.hosting.session import Session
from gapless.actors.runtime import (
    ActorSystem,
    Dispatcher,
    EffectRunner,
    HybridDispatcher,
    LoopDispatcher,
)
from gapless.actors.shells import ProcessTable
from gapless.typings.ids import SessionId
from gapless.typings.outcome import Failure, Success
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.shells import Leaving

_log: Final = logging.getLogger(__name__)


@final
class Runtime:
    """Everything one host needs, once; ``Runtime.start`` makes it.

    >>> with Runtime.start() as runtime:
    ...     session = runtime.open("build")
    ...     session.view.state
    Unknown(first=SourceSilent(source=<SilentSource.LEAD: 'lead'>, subject=''), more=())
    """

    def __init__(
        self,
        system: ActorSystem,
        effects: Effects,
        table: ProcessTable,
        leaving: Leaving,
        processes: Callable[[SessionId], Processes] | None = None,
    ) -> None:
        self._system = system
        self._effects = effects
        self._table = table
        self._leaving: Leaving = leaving
        self._processes: Callable[[SessionId], Processes] = processes or table.of
        self._pid: Final = os.getpid()
        self._lock = threading.RLock()  # a signal handler may stop what it interrupts
        self._sessions: dict[SessionId, Session] = {}
        self._openings = count(1)
        self._over: bool = False
        atexit.register(self._stop_late)

    @classmethod
    def start(
        cls,
        *,
        logs: str | os.PathLike[str] | None = None,
        leaving: Leaving = "stop",
        grace_s: float = 5.0,
        processes: Callable[[SessionId], Processes] | None = None,
    ) -> Self:
        """Start a runtime: on the event loop that runs in this thread, or on a thread of its own.

        ``logs`` is a folder for the output of shells, 0700, which is kept; by default a temporary
        one. ``leaving`` says what becomes of shells that run when the runtime is left, or their
        session is closed with force: they are stopped, with ``grace_s`` seconds until they are
        killed, or detached: they go on, and are reparented once the host has ended.
        ``processes`` makes a session's processes instead of real ones, for tests of hosts.

        Raises:
            LogFolderError: others can enter ``logs``.
            OSError: ``logs`` cannot be made.

        """
        table = ProcessTable(logs, grace_s=grace_s)
        return cls(ActorSystem(_dispatcher()), EffectRunner(), table, leaving, processes)

    def __enter__(self) -> Self:
        """Return the runtime itself.

        Raises:
            RuntimeError: it runs on this thread's event loop: use ``async with``.

        """
        dispatcher = self._system.dispatcher
        if isinstance(dispatcher, LoopDispatcher) and dispatcher.would_block():
            threading.Thread(target=self.stop, name="gapless-stop").start()
            msg = "this runtime runs on the event loop, which leaving it would block: async with"
            raise RuntimeError(msg)
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it."""
        self.stop()

    async def __aenter__(self) -> Self:
        """Return the runtime itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave it, while the loop goes on.

        On a thread of its own: all those of the loop's executor may wait for sessions to end.
        """
        left: Pending[None, BaseException] = Pending()
        threading.Thread(target=self._stop_and_tell, args=(left,), name="gapless-stop").start()
        outcome = await left
        if isinstance(outcome, Failure):
            raise outcome.failure()

    def _stop_and_tell(self, left: Pending[None, BaseException]) -> None:
        try:
            self.stop()
        except BaseException as error:  # noqa: BLE001 - raised again where it is left
            left.settle(Failure(error))
        else:
            left.settle(Success(None))

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions that are not over, in the order of their opening."""
        with self._lock:
            return tuple(self._sessions.values())

    def find(self, name: str) -> Session | None:
        """Return the session of this name, if it is open."""
        with self._lock:
            return self._sessions.get(SessionId(name))

    def open(self, name: str, *, settings: Settings = DEFAULTS) -> Session:
        """Open a session; when it is over its name is free again.

        Raises:
            ValueError: a session of this name is open.
            RuntimeError: the runtime was left.

        """
        session = SessionId(name)
        with self._lock:
            if self._over:
                msg = "the runtime was left"
                raise RuntimeError(msg)
            if session in self._sessions:
                msg = f"a session of this name is open: {name!r}"
                raise ValueError(msg)
            opened = self._sessions[session] = Session(
                session,
                self._system,
                self._effects,
                self._processes(session),
                settings,
                incarnation=next(self._openings),
                leaving=self._leaving,
            )
        opened.when_over(lambda: self._forget(opened))
        return opened

    def _forget(self, session: Session) -> None:
        with self._lock:
            if self._sessions.get(session.id) is session:
                del self._sessions[session.id]

    def _stop_late(self) -> None:
        """Stop at the end of the program, so that nothing is orphaned unknowingly."""
        if os.getpid() != self._pid:
            return
        _log.warning("A runtime was never left, and is stopped at the end of the program.")
        self.stop()

    def stop(self) -> None:
        """Leave it: end its shells or detach them, then its sessions; nothing goes on afterwards.

        The ends of shells that are stopped are in the sessions' last views. Again it does nothing,
        and nothing in a process that was forked from the host: all is still the parent's. Where
        it is interrupted, shells that were to be stopped are killed at once.
        """
        if os.getpid() != self._pid:
            return
        with self._lock:
            if self._over:
                return
            self._over = True
        atexit.unregister(self._stop_late)
        try:
            self._effects.close()
            self._table.leave(self._leaving)
            self._system.stop()
        except BaseException:
            self._table.abandon(self._leaving)
            raise


def _dispatcher() -> Dispatcher:
    try:
        return LoopDispatcher(asyncio.get_running_loop())
    except RuntimeError:
        return HybridDispatcher()
