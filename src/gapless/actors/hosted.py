"""A session as its host holds it: a view to read, and typed calls.

``view`` is a plain attribute, written before the effects of its input are released. The permits
that close questions gave are known here by identity, so a copy or a forgery closes nothing; which
of them is still good the session itself knows.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from queue import Full
from typing import Final, TypeAlias, assert_never, final
from weakref import WeakSet

from gapless.actors.doing import Doing, Effects
from gapless.actors.heart import Heart, spawn_heart
from gapless.actors.outs import Announce, Publish, Release
from gapless.actors.processes import Processes
from gapless.actors.runtime import (
    ActorSystem,
    AskFailure,
    AskGone,
    Cyclic,
    LoopDispatcher,
    Outgoing,
    Reply,
    WouldBlock,
)
from gapless.actors.runtime.logs import contained
from gapless.actors.runtime.refs import outcome_of
from gapless.actors.runtime.waiting import AskCycleError, waiting_for
from gapless.messages.answers import (
    Busy,
    Called,
    CallOutcome,
    Closed,
    Fault,
    Ignored,
    NotClosed,
    PermitDue,
    QuestionAnswered,
)
from gapless.messages.effects import Effect
from gapless.messages.inputs import (
    CloseAsked,
    CloseForced,
    CloseUsed,
    Input,
    SpawnAsked,
)
from gapless.messages.recorded import Recorded
from gapless.messages.session import Take
from gapless.typings.close import (
    CloseAnswer,
    ClosePermit,
    CloseRefusal,
    ForgedPermit,
    Held,
    Permitted,
    Undetermined,
    mint_permit,
)
from gapless.typings.edges import Edge
from gapless.typings.evidence import Source
from gapless.typings.ids import ManagedId, QuestionId, SessionId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.states import Ended
from gapless.typings.view import SessionView

_log: Final = logging.getLogger(__name__)

LISTENER_FAILED: Final = "Unhandled exception in a listener to a session:"

CALL_S: Final = 5.0
"""How long a call waits unless told otherwise; a close question, for its budget besides."""

NotTaken: TypeAlias = Fault | Busy | AskGone
"""Why an input was not taken: Gapless failed on it, too many wait, or the session was stopped."""

NotCalled: TypeAlias = NotTaken | AskFailure
"""Why nobody knows what came of an input: it was not taken, or the answer could not be awaited."""

CallFailure: TypeAlias = NotCalled | Ignored
"""Why a call came to nothing: as above, or it changed nothing."""


@final
class Session:
    """One session of a host; ``open_session`` makes it.

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
    ) -> None:
        self.id: Final = session
        self._system = system
        self._doing = Doing(session, effects, processes, self.tell, self._insist)
        self._incarnation = incarnation
        self._shells = count(1)
        self._questions = count(1)
        self._permits = WeakSet[ClosePermit]()
        self._lock = threading.Lock()
        self._views: tuple[Callable[[Recorded, SessionView], object], ...] = ()
        self._edges: tuple[Callable[[Edge], object], ...] = ()
        self.heart: Final[Heart] = spawn_heart(system, self, settings)
        self.view: SessionView = self.heart.session.state.view

    def tell(self, what: Input, source: Source = Source.HOST) -> None:
        """Let the session take an input, when its turn comes."""
        self.heart.ref.tell(Take(what=what, source=source))

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

    def call_later(
        self, what: Input, source: Source = Source.HOST
    ) -> Reply[Outcome[Called, NotTaken]]:
        """Let the session take an input, and return what is to come of it."""
        reply: Reply[Outcome[Called, NotTaken]] = Reply()

        def answer(outcome: Outcome[Called, NotTaken]) -> None:
            with suppress(Full):  # the session came to its end meanwhile, or was about to
                reply.set(outcome)

        ref = self.heart.ref
        reply.owed_by = ref.mailbox
        reply.when_done(ref.when_ended(lambda: answer(Failure(AskGone()))))
        ref.tell(Take(what=what, source=source, caller=answer))
        return reply

    def call(
        self, what: Input, source: Source = Source.HOST, *, timeout_s: float = CALL_S
    ) -> Outcome[Called, NotCalled]:
        """Let the session take an input, and wait until ``view`` shows what came of it.

        For threads that run no actor: a wait that could not end is refused with ``Cyclic`` or
        ``WouldBlock``, and nothing came of it. After ``TimedOut`` the input may still be taken.
        """
        refused = self._refuse_to_wait()
        if refused is not None:
            return Failure(refused)
        outcome = outcome_of(self.call_later(what, source), timeout_s)
        match outcome:
            case Success(answer):
                return answer
            case Failure():
                return outcome
            case _:
                assert_never(outcome)

    def _refuse_to_wait(self) -> Cyclic | WouldBlock | None:
        """Look before anything is told whether waiting here could end."""
        answer: Reply[None] = Reply()
        answer.owed_by = self.heart.ref.mailbox
        try:
            with waiting_for(answer):
                pass
        except AskCycleError as error:
            return Cyclic(actors=error.actors)
        dispatcher = self._system.dispatcher
        if isinstance(dispatcher, LoopDispatcher) and dispatcher.would_block():
            return WouldBlock(reason="this thread runs the session: await call_later() instead")
        return None

    def new_shell(self) -> ManagedId:
        """Return the name of a shell to be started."""
        return ManagedId(incarnation=self._incarnation, counter=next(self._shells))

    def spawn_shell(
        self, *argv: str, cwd: str | None = None, timeout_s: float = CALL_S
    ) -> Outcome[ManagedId, CallFailure]:
        """Start a background shell; it holds from before there is a process."""
        shell = self.new_shell()
        outcome = self.call(SpawnAsked(shell=shell, argv=argv, cwd=cwd), timeout_s=timeout_s)
        match outcome:
            case Success(called):
                ignored = _ignored(called)
                return Success(shell) if ignored is None else Failure(ignored)
            case Failure():
                return outcome
            case _:
                assert_never(outcome)

    def ask_close(
        self,
        *,
        drain_ms: int | None = None,
        ignoring: tuple[tuple[str, str], ...] = (),
        timeout_s: float = CALL_S,
    ) -> Outcome[CloseAnswer, CallFailure]:
        """Ask whether it may be closed now without losing work.

        With ``drain_ms`` the answer may wait so long for an open turn to end by itself.
        ``ignoring`` names holds, as (category, id), that the host knows it can lose.
        """
        question = QuestionId(next(self._questions))
        asked = CloseAsked(question=question, drain_ms=drain_ms, ignoring=ignoring)
        outcome = self.call(asked, timeout_s=timeout_s + (drain_ms or 0) / 1_000)
        match outcome:
            case Success(called):
                for answer in called.answers:
                    if isinstance(answer, QuestionAnswered):
                        return Success(self._answer(answer))
                return Failure(_ignored(called) or Fault(reason="it was not answered"))
            case Failure():
                return outcome
            case _:
                assert_never(outcome)

    def _answer(self, answer: QuestionAnswered) -> CloseAnswer:
        match answer.answer:
            case PermitDue(as_of=as_of, gated=gated):
                permit = mint_permit(answer.question, as_of)
                with self._lock:
                    self._permits.add(permit)
                return Permitted(permit=permit, as_of=as_of, gated=gated)
            case Held() | Undetermined():
                return answer.answer
            case _:
                assert_never(answer.answer)

    def close(
        self, permit: ClosePermit, *, timeout_s: float = CALL_S
    ) -> Outcome[Ended, CloseRefusal | CallFailure]:
        """Close with the permit that ``ask_close`` gave; then it is over, and refuses all."""
        with self._lock:
            if permit not in self._permits:
                return Failure(ForgedPermit())
        used = CloseUsed(question=permit.question, as_of=permit.as_of)
        outcome = self._ended(self.call(used, timeout_s=timeout_s))
        if isinstance(outcome, Success):
            with self._lock:
                self._permits.discard(permit)
        return outcome

    def force_close(
        self, cause: str, *, timeout_s: float = CALL_S
    ) -> Outcome[Ended, CloseRefusal | CallFailure]:
        """Close whatever is lost."""
        return self._ended(self.call(CloseForced(cause=cause), timeout_s=timeout_s))

    def _ended(
        self, outcome: Outcome[Called, NotCalled]
    ) -> Outcome[Ended, CloseRefusal | CallFailure]:
        match outcome:
            case Success(called):
                for answer in called.answers:
                    match answer:
                        case Closed(ended=ended):
                            return Success(ended)
                        case NotClosed(refusal=refusal):
                            return Failure(refusal)
                        case Ignored():
                            return Failure(answer)
                        case QuestionAnswered():
                            continue
                        case _:
                            assert_never(answer)
                return Failure(_ignored(called) or Fault(reason="it was not answered"))
            case Failure():
                return outcome
            case _:
                assert_never(outcome)

    def on_view(self, call: Callable[[Recorded, SessionView], object]) -> None:
        """Call with each input and the view it made, in order, where the session runs."""
        with self._lock:
            self._views = (*self._views, call)

    def on_edge(self, call: Callable[[Edge], object]) -> None:
        """Call with each edge, once, where the session runs."""
        with self._lock:
            self._edges = (*self._edges, call)

    def publish(self, what: Publish, /) -> Outgoing:
        """Show a view; called by the session's actor."""

        def show() -> bool:
            self.view = what.view
            for call in self._views:
                contained(partial(call, what.row, what.view), LISTENER_FAILED)
            return True

        return Outgoing(show, what, "the host")

    def announce(self, what: Announce, /) -> Outgoing:
        """Tell an edge; called by the session's actor."""

        def tell() -> bool:
            for call in self._edges:
                contained(partial(call, what.edge), LISTENER_FAILED)
            return True

        return Outgoing(tell, what, "the host")

    def release(self, what: Release, /) -> Outgoing:
        """Have an effect done, once; called by the session's actor."""
        return Outgoing(lambda: self._run(what.effect), what, "the effect runner")

    def _run(self, effect: Effect) -> bool:
        self._doing.run(effect)
        return True


def open_session(  # noqa: PLR0913 - what a session needs of its host
    session: SessionId,
    *,
    system: ActorSystem,
    effects: Effects,
    processes: Processes,
    settings: Settings = DEFAULTS,
    incarnation: int = 1,
) -> Session:
    """Open a session in a running system; ``incarnation`` counts the runs of the host."""
    return Session(session, system, effects, processes, settings, incarnation)


def _ignored(called: Called) -> Ignored | None:
    return next((it for it in called.answers if isinstance(it, Ignored)), None)
