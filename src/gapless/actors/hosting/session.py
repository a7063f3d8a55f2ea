"""A session as its host holds it: a view to read, and typed calls.

``view`` is a plain attribute, written before the effects of its input are released. Every call
returns what is to come of it (``Pending``), for threads and event loops alike. The permits that
close questions gave are known here by identity, so a copy or a forgery closes nothing; which of
them is still good the session itself knows. Once it is closed its actors end, and what is called
then comes back as ``AskGone``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final, TypeAlias, final

from gapless.actors.heart import Heart, spawn_heart
from gapless.actors.hosting.changes import MOST_UNREAD, Changes
from gapless.actors.hosting.continuations import Continuation, Continuations, Taking, offered
from gapless.actors.hosting.doing import Doing, Effects
from gapless.actors.hosting.failures import CallFailure, NotTaken
from gapless.actors.hosting.listeners import Listeners, weakly
from gapless.actors.hosting.pending import PATIENCE_S, Pending, settled
from gapless.actors.hosting.permits import NotEnded, Permits, ended, heeded
from gapless.actors.hosting.processes import Processes
from gapless.actors.hosting.until import NotSeen, until
from gapless.actors.outs import Announce, Publish, Release
from gapless.actors.runtime import ActorSystem, AskGone, Outgoing
from gapless.actors.runtime.waiting import Waiter
from gapless.actors.why import why
from gapless.messages.answers import Called, CallOutcome
from gapless.messages.effects import Effect
from gapless.messages.inputs import (
    CloseAsked,
    CloseForced,
    CloseUsed,
    ContinuationTaken,
    EffectDone,
    HarnessInput,
    HostInput,
    Input,
    NotificationInput,
    ObservedInput,
    SpawnAsked,
    Spawned,
    SpawnFailed,
    StopAsked,
)
from gapless.messages.inputs.shells import EffectOutcome
from gapless.messages.recorded import Recorded
from gapless.messages.session import Take
from gapless.typings.close import CloseAnswer, ClosePermit, ForgedPermit
from gapless.typings.edges import Edge
from gapless.typings.evidence import Source
from gapless.typings.ids import ManagedId, QuestionId, SessionId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.settings import Settings
from gapless.typings.shells import Leaving, NoSuchShell, Output, ReadFailure, ShellRecord
from gapless.typings.spawning import SpawnError
from gapless.typings.states import Ended
from gapless.typings.view import SessionView
from gapless.typings.why import Claim

_log: Final = logging.getLogger(__name__)

SPAWN_PATIENCE_S: Final = 30.0
"""How long one waits for a process to run unless told otherwise: thousands may be before it."""

READ_BYTES: Final = 65_536
"""How much of an output is read at once unless told otherwise."""

Known: TypeAlias = HarnessInput | HostInput | ObservedInput | NotificationInput
"""What a host may know of a session and tell it."""


@final
class Session:
    """One session of a host; ``Runtime.open`` makes it.

    ``view`` is what it is doing, whether it may be closed, and whether it is stuck. Any thread may
    read it, at the cost of an attribute.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a session needs of its host
        self,
        session: SessionId,
        system: ActorSystem,
        effects: Effects,
        processes: Processes,
        settings: Settings,
        incarnation: int,
        leaving: Leaving,
    ) -> None:
        self.id: Final = session
        self._system = system
        self._processes = processes
        self._settings = settings
        self._leaving: Leaving = leaving
        self._doing = Doing(session, effects, processes, self._done, self._insist, self._owes)
        self._incarnation = incarnation
        self._shells = count(1)
        self._questions = count(1)
        self._permits = Permits()
        self._starting: dict[ManagedId, Pending[ManagedId, SpawnError | CallFailure]] = {}
        self._views = Listeners[Recorded, SessionView]()
        self._edges = Listeners[Edge]()
        self.heart: Final[Heart] = spawn_heart(system, self, settings)
        self.view: SessionView = self.heart.session.state.view

    def __repr__(self) -> str:
        return f"<Session {self.id!r}>"

    # What is known of it

    def why(self) -> tuple[Claim, ...]:
        """Return what the current view rests on: each claim with the inputs that speak for it."""
        return why(self.heart.session.state.session, self._settings)

    def changes(self, *, most_unread: int = MOST_UNREAD) -> Changes:
        """Return the views from the current one on, each version once, in order.

        A reader that is more than ``most_unread`` views late reads ``Missed`` instead of the
        oldest. It ends when the session is closed or its runtime is left.

        Raises:
            ValueError: there is no room for a view.

        """
        changes = Changes(self.owed_by, most_unread)
        changes.subscribed(self.on_version(weakly(changes.put)))
        changes.put(self.view)
        changes.subscribed(self.when_over(weakly(changes.close)))
        return changes

    def until(
        self, predicate: Callable[[SessionView], bool], timeout_s: float = 60.0
    ) -> Pending[SessionView, NotSeen]:
        """Return the first view, from the current one on, of which ``predicate`` is true.

        ``predicate`` is called where the session runs, and every other session of the runtime
        waits for it; if it raises, the outcome is a ``Fault``. ``AskGone``: the session was over
        before. Only a new view is looked at: what a shell has written makes none.

        Raises:
            ValueError: ``timeout_s`` is no number.

        """
        return until(self, self._system.timers, predicate, timeout_s)

    def continuations(self) -> Continuations:
        """Return what the host should run next, whenever there is something.

        It ends when the session is closed or its runtime is left.
        """
        stream = Continuations(self.owed_by, self._continuation)
        put = weakly(stream.put)

        def offer(_: SessionView) -> None:
            put(offered(self.heart.session.state.session))

        stream.subscribed(self.on_version(offer))
        offer(self.view)
        stream.subscribed(self.when_over(weakly(stream.close)))
        return stream

    def _continuation(self, shells: tuple[ManagedId, ...]) -> Continuation:
        return Continuation(shells, self._processes, self._take_up)

    def on_view(self, call: Callable[[Recorded, SessionView], object]) -> Callable[[], object]:
        """Call with each input and the view it made, in order, where the session runs.

        Returns what takes that back.
        """
        return self._views.add(call)

    def on_version(self, call: Callable[[SessionView], object], /) -> Callable[[], object]:
        """Call with each view, in order, where the session runs; returns what takes that back."""
        return self._views.add(lambda _, view: call(view))

    def on_edge(self, call: Callable[[Edge], object]) -> Callable[[], object]:
        """Call with each edge, once, where the session runs; returns what takes that back."""
        return self._edges.add(call)

    def when_over(self, call: Callable[[], object], /) -> Callable[[], object]:
        """Call once it takes nothing more, now if that is so; returns what takes that back."""
        return self.heart.ref.when_ended(call)

    @property
    def owed_by(self) -> Waiter:
        """Who owes what is pending: for dispatchers, which must not wait for themselves."""
        return self.heart.ref.mailbox

    # What is told to it

    def tell(self, what: Known, source: Source = Source.HOST) -> bool:
        """Let the session take what the host knows, when its turn comes; whether it is not over."""
        return isinstance(self.heart.ref.tell(Take(what=what, source=source)), Success)

    def call(self, what: Known, source: Source = Source.HOST) -> Pending[Called, NotTaken]:
        """Let the session take what the host knows; what comes of it is there with its view."""
        return self._call(what, source)

    def _call(
        self, what: Input, source: Source = Source.HOST, patience_s: float = PATIENCE_S
    ) -> Pending[Called, NotTaken]:
        pending: Pending[Called, NotTaken] = Pending(self.owed_by, patience_s)
        forget = self.when_over(lambda: pending.settle(Failure(AskGone())))
        pending.when_done(lambda _: forget())
        self.heart.ref.tell(Take(what=what, source=source, caller=pending.settle))
        return pending

    def _take_up(self, shells: tuple[ManagedId, ...]) -> Taking:
        return self._call(ContinuationTaken(keys=shells)).then(heeded)

    # Shells

    def new_shell(self) -> ManagedId:
        """Return the name of a shell to be started."""
        return ManagedId(incarnation=self._incarnation, counter=next(self._shells))

    def spawn_shell(
        self, *argv: str, cwd: str | None = None, env: Mapping[str, str] | None = None
    ) -> Pending[ManagedId, SpawnError | CallFailure]:
        """Start a background shell; it holds from before there is a process.

        ``env`` is added to the host's own environment; like ``argv`` it is kept in the list of
        inputs. The outcome is there when the process runs, or why there is none.
        """
        shell = self.new_shell()
        pending: Pending[ManagedId, SpawnError | CallFailure] = Pending(
            self.owed_by, SPAWN_PATIENCE_S
        )
        self._starting[shell] = pending
        forget = self.when_over(lambda: pending.settle(Failure(AskGone())))

        def over(_: object) -> None:
            self._starting.pop(shell, None)
            forget()

        def asked(outcome: Outcome[Called, NotTaken]) -> None:
            came = heeded(outcome)
            if isinstance(came, Failure):
                pending.settle(came)

        pending.when_done(over)
        pairs = tuple((env or {}).items())
        self._call(SpawnAsked(shell=shell, argv=argv, cwd=cwd, env=pairs)).when_done(asked)
        return pending

    def stop_shell(self, shell: ManagedId) -> Pending[Called, NotTaken | NoSuchShell]:
        """Ask a shell's process group to end, and kill it after a grace.

        The outcome is there when it was asked. The shell runs until its process is gone, and its
        notification is owed as after any end.
        """
        if shell not in self._starting and self._processes.record(shell) is None:
            return settled(Failure(NoSuchShell(shell=shell)))
        pending: Pending[Called, NotTaken | NoSuchShell] = Pending(self.owed_by)
        self._call(StopAsked(shell=shell)).when_done(pending.settle)
        return pending

    def read_shell(
        self, shell: ManagedId, *, offset: int = 0, most_bytes: int = READ_BYTES
    ) -> Outcome[Output, ReadFailure]:
        """Read a shell's output from ``offset`` on, at most so many bytes; it reads a file.

        Raises:
            ValueError: ``offset`` or ``most_bytes`` is out of bounds.

        """
        return self._processes.read(shell, offset=offset, most_bytes=most_bytes)

    def tail_shell(
        self, shell: ManagedId, *, most_bytes: int = READ_BYTES
    ) -> Outcome[Output, ReadFailure]:
        """Read the end of a shell's output; it reads a file.

        Raises:
            ValueError: ``most_bytes`` is out of bounds.

        """
        return self._processes.tail(shell, most_bytes=most_bytes)

    def shell_record(self, shell: ManagedId) -> ShellRecord | None:
        """Return what a shell runs, where its log is and how it ended, while that is remembered."""
        return self._processes.record(shell)

    def _owes(self, shell: ManagedId) -> bool:
        """Whether a shell runs, or nobody has settled its end."""
        return shell in self.heart.session.state.session.ledger.standing.shells

    # Closing

    def ask_close(
        self, *, drain_ms: int | None = None, ignoring: tuple[tuple[str, str], ...] = ()
    ) -> Pending[CloseAnswer, CallFailure]:
        """Ask whether it may be closed now without losing work.

        With ``drain_ms`` the answer may wait so long for an open turn to end by itself.
        ``ignoring`` names holds, as (category, id), that the host knows it can lose.
        """
        patience_s = PATIENCE_S + (drain_ms or 0) / 1_000
        question = QuestionId(next(self._questions))
        asked = CloseAsked(question=question, drain_ms=drain_ms, ignoring=ignoring)
        return self._call(asked, patience_s=patience_s).then(self._permits.answered)

    def close(self, permit: ClosePermit) -> Pending[Ended, NotEnded]:
        """Close with the permit that ``ask_close`` gave; then it is over, and refuses all."""
        if not self._permits.know(permit):
            return settled(Failure(ForgedPermit()))
        closing = self._end(CloseUsed(question=permit.question, as_of=permit.as_of))

        def closed(outcome: Outcome[Ended, NotEnded]) -> None:
            if isinstance(outcome, Success):
                self._permits.use_up(permit)

        closing.when_done(closed)
        return closing

    def force_close(self, cause: str) -> Pending[Ended, NotEnded]:
        """Close whatever is lost. Its shells are ended, or let be if that is the runtime's way."""
        return self._end(CloseForced(cause=cause))

    def _end(self, what: CloseUsed | CloseForced) -> Pending[Ended, NotEnded]:
        def answered(outcome: Outcome[Called, NotTaken]) -> Outcome[Ended, NotEnded]:
            came = ended(outcome)
            if isinstance(came, Success):
                self._retire()
            return came

        return self._call(what).then(answered)

    def _retire(self) -> None:
        """Let its actors end, and its processes be left: nobody is told of them any more."""
        self._processes.leave(self._leaving)
        for mailbox in self.heart.mailboxes:
            self._system.end(mailbox)

    # What its actors have done

    def publish(self, what: Publish, /) -> Outgoing:
        """Show a view; called by the session's actor."""

        def show() -> bool:
            self.view = what.view
            self._views.call(what.row, what.view)
            return True

        return Outgoing(show, what, "the host")

    def announce(self, what: Announce, /) -> Outgoing:
        """Tell an edge; called by the session's actor."""

        def tell() -> bool:
            self._edges.call(what.edge)
            return True

        return Outgoing(tell, what, "the host")

    def release(self, what: Release, /) -> Outgoing:
        """Have an effect done, once; called by the session's actor."""

        def run() -> bool:
            self._doing.run(what.effect)
            return True

        return Outgoing(run, what, "the effect runner")

    def _done(self, effect: Effect, outcome: EffectOutcome) -> None:
        """Tell what came of an effect, and then whoever waits for a shell to run."""
        starting = self._starting.get(effect.shell)

        def shown(_: CallOutcome) -> None:
            match outcome:
                case Spawned() if starting is not None:
                    starting.settle(Success(effect.shell))
                case SpawnFailed(cause=cause) if starting is not None:
                    starting.settle(Failure(cause))
                case _:
                    pass

        done = EffectDone(shell=effect.shell, outcome=outcome)
        self.heart.ref.tell(Take(what=done, source=Source.EFFECT, caller=shown))

    def _insist(self, what: Input, source: Source, times: int = 3) -> None:
        """Let the session take what nobody would say again, also if it fails on it."""

        def came(outcome: CallOutcome) -> None:
            if not isinstance(outcome, Failure):
                return
            if times:
                self._insist(what, source, times - 1)
            else:
                _log.error("Session %s failed on %r: %s", self.id, what, outcome.failure())

        self.heart.ref.tell(Take(what=what, source=source, caller=came))
