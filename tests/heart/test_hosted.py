"""A session as its host holds it: what a call comes to, whatever becomes of the session."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast, final

import pytest

from gapless.actors.doing import Effects
from gapless.actors.hosted import Session, open_session
from gapless.actors.runtime import (
    ActorSystem,
    AskGone,
    CommandActor,
    Cyclic,
    EffectRunner,
    ManualClock,
    SteppedDispatcher,
    TimedOut,
    WouldBlock,
)
from gapless.messages.answers import Busy, Called, Ignored
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs import (
    CloseAsked,
    EffectDone,
    PromptSubmitted,
    SignalFailed,
    Signalled,
    Spawned,
    SpawnFailed,
)
from gapless.messages.recorded import Recorded
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.close import ForgedPermit, Held, Permitted, StalePermit
from gapless.typings.ids import SessionId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.reading import read
from gapless.typings.settings import Settings
from gapless.typings.spawning import NotRunnable, SpawnFault
from gapless.typings.states import Ended
from tests.runtime.kit import PATIENCE_S, hosting
from tests.support.words import prompt, stop


@final
class Host:
    """One session on the stepped dispatcher, whose calls let the actors go on."""

    def __init__(self, settings: Settings) -> None:
        self.dispatcher = SteppedDispatcher()
        self.system = ActorSystem(self.dispatcher, ManualClock())
        self.effects: Effects = EffectRunner(1)
        self.processes = SimulatedProcesses()
        self.session: Session = open_session(
            SessionId("s"),
            system=self.system,
            effects=self.effects,
            processes=self.processes,
            settings=settings,
        )

    def wait_for(self, event: threading.Event) -> None:
        """Let the actors go on until an effect was done on its own thread, and heard of."""
        for _ in range(10_000):
            self.dispatcher.run()
            if event.wait(0.001):
                return
        raise AssertionError


@pytest.fixture
def host() -> Iterator[Host]:
    made = Host(Settings(most_waiting=2))
    yield made
    made.effects.close()


def test_a_call_returns_once_the_view_shows_what_came_of_it(host: Host) -> None:
    outcome = host.session.call(prompt())
    assert isinstance(outcome, Success)
    assert host.session.view.upto == outcome.unwrap().number
    assert read(host.session.view).state == "working"


def test_a_call_to_a_session_that_was_stopped_is_answered_at_once(host: Host) -> None:
    host.system.stop()
    assert host.session.call(prompt(), timeout_s=PATIENCE_S) == Failure(AskGone())


def test_a_call_that_waits_when_its_session_is_stopped_is_answered(host: Host) -> None:
    waiting = host.session.call_later(prompt())
    host.system.stop()
    assert waiting.done


def test_a_call_that_the_session_never_answers_times_out(host: Host) -> None:
    host.dispatcher.driver = -1  # nobody steps it
    assert host.session.call(prompt(), timeout_s=0.001) == Failure(TimedOut(seconds=0.001))


def test_a_call_on_the_thread_of_its_own_loop_comes_back() -> None:
    """It could not end: that thread is the one that would bring the answer."""
    effects: Effects = EffectRunner(1)
    came: list[object] = []
    over = threading.Event()

    class Caller(CommandActor[PromptSubmitted]):
        def on_tell(self, message: PromptSubmitted, /) -> None:
            came.append(session.call(message, timeout_s=PATIENCE_S))
            over.set()

    with hosting("loop") as loop:
        system = ActorSystem(loop.dispatcher)
        loop.systems.append(system)
        session = open_session(
            SessionId("s"), system=system, effects=effects, processes=SimulatedProcesses()
        )
        system.spawn(Caller).tell(prompt())
        assert over.wait(PATIENCE_S)
    effects.close()
    (outcome,) = came
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), WouldBlock)
    assert session.view.upto == 0, "it was taken all the same"


def test_a_call_is_refused_while_very_many_inputs_wait(host: Host) -> None:
    calls = [host.session.call_later(prompt()) for _ in range(4)]
    host.dispatcher.run()
    outcomes: list[Outcome[Called, object]] = [it.get() for it in calls]
    assert [isinstance(it, Success) for it in outcomes] == [True, True, True, False]
    assert outcomes[-1] == Failure(Busy(waiting=2))


def test_what_is_told_is_taken_however_many_wait(host: Host) -> None:
    for _ in range(20):
        host.session.tell(stop())
    host.dispatcher.run()
    assert host.session.view.upto == 20


def test_a_listener_that_raises_keeps_nobody_from_hearing(host: Host) -> None:
    heard: list[int] = []

    def fail(row: Recorded, view: object) -> None:
        raise LookupError(row, view)

    host.session.on_view(fail)
    host.session.on_view(lambda _, view: heard.append(view.upto))
    host.session.call(prompt())
    assert heard == [1]


def permitted(session: Session) -> Permitted:
    answer = session.ask_close().unwrap()
    assert isinstance(answer, Permitted)
    return answer


def test_a_permit_closes_once(host: Host) -> None:
    host.session.call(stop())
    permit = permitted(host.session).permit
    assert isinstance(host.session.close(permit).unwrap(), Ended)
    assert host.session.close(permit) == Failure(ForgedPermit())


def test_a_permit_of_another_session_closes_nothing(host: Host) -> None:
    """Although it has the same numbers."""
    other = Host(Settings())
    for it in (host, other):
        it.session.call(stop())
    ours, theirs = permitted(host.session), permitted(other.session)
    assert (ours.permit.question, ours.as_of) == (theirs.permit.question, theirs.as_of)
    assert host.session.close(theirs.permit) == Failure(ForgedPermit())
    other.effects.close()


def test_a_permit_is_stale_once_a_turn_began(host: Host) -> None:
    host.session.call(stop())
    asked = permitted(host.session)
    host.session.call(prompt())
    host.session.call(stop())
    refused = host.session.close(asked.permit)
    assert refused == Failure(StalePermit(as_of=asked.as_of))


def test_with_an_open_turn_a_close_question_is_held_at_once(host: Host) -> None:
    host.session.call(prompt())
    assert isinstance(host.session.ask_close().unwrap(), Held)


def test_a_close_question_may_wait_for_the_turn_to_end(host: Host) -> None:
    host.session.call(prompt())

    def end_the_turn(row: Recorded, _: object) -> None:
        if isinstance(row.what, CloseAsked):
            host.session.tell(stop())

    host.session.on_view(end_the_turn)
    assert isinstance(host.session.ask_close(drain_ms=60_000).unwrap(), Permitted)


def test_a_shell_that_cannot_be_started_says_why_and_holds_no_more(host: Host) -> None:
    rows: list[Recorded] = []
    host.session.on_view(lambda row, _: rows.append(row))
    shell = host.session.spawn_shell().unwrap()  # there is nothing to run
    host.effects.close()
    host.dispatcher.run()
    failed = SpawnFailed(cause=NotRunnable(reason="no command was given"))
    assert rows[-1].what == EffectDone(shell=shell, outcome=failed)
    assert read(host.session.view).holds == ()


@final
class NoProcesses:
    """A machine on which nothing can be started."""

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        raise OSError(effect, exited)

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        raise OSError(effect)


def test_an_effect_that_raises_is_one_that_failed(host: Host) -> None:
    rows: list[Recorded] = []
    session = open_session(
        SessionId("other"), system=host.system, effects=host.effects, processes=NoProcesses()
    )
    session.on_view(lambda row, _: rows.append(row))
    assert isinstance(session.spawn_shell("make"), Success)
    host.effects.close()
    host.dispatcher.run()
    done = rows[-1].what
    assert isinstance(done, EffectDone)
    assert isinstance(done.outcome, SpawnFailed)
    assert isinstance(done.outcome.cause, SpawnFault)
    assert "OSError" in done.outcome.cause.error


def set_when_done(event: threading.Event, row: Recorded, _view: object) -> None:
    if isinstance(row.what, EffectDone):
        event.set()


def test_a_session_opened_again_under_its_name_starts_its_own_shell(host: Host) -> None:
    """Although it has the same shell, number and command."""
    running: list[int] = []
    for _ in range(2):
        processes = SimulatedProcesses()
        session = open_session(
            SessionId("again"), system=host.system, effects=host.effects, processes=processes
        )
        session.spawn_shell("make")
        started = threading.Event()
        session.on_view(partial(set_when_done, started))
        host.wait_for(started)
        running.append(len(processes.running))
    assert running == [1, 1]


def test_two_sessions_that_share_their_processes_are_told_so(host: Host) -> None:
    rows: list[Recorded] = []
    for name in ("one", "two"):
        session = open_session(
            SessionId(name), system=host.system, effects=host.effects, processes=host.processes
        )
        session.on_view(lambda row, _: rows.append(row))
        session.spawn_shell("make")
    host.effects.close()
    host.dispatcher.run()
    outcomes = [it.what.outcome for it in rows if isinstance(it.what, EffectDone)]
    assert [type(it) for it in outcomes] == [Spawned, SpawnFailed]


@final
class UntypedProcesses:
    """Says nothing of what came of it."""

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        del effect, exited
        return cast("Spawned", None)  # what a host without types may do

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        raise NotImplementedError(effect)


def test_processes_that_return_nothing_have_failed(host: Host) -> None:
    session = open_session(
        SessionId("other"), system=host.system, effects=host.effects, processes=UntypedProcesses()
    )
    session.spawn_shell("make")
    host.effects.close()
    host.dispatcher.run()
    assert read(session.view).holds == ()


def test_of_many_permits_the_last_closes_and_the_others_are_stale(host: Host) -> None:
    host.session.call(stop())
    first, last = permitted(host.session), permitted(host.session)
    assert host.session.close(first.permit) == Failure(StalePermit(as_of=first.as_of))
    assert isinstance(host.session.close(last.permit), Success)


def test_a_call_in_a_listener_of_its_session_is_refused_before_it_is_told(host: Host) -> None:
    came: list[object] = []
    host.session.on_view(lambda _row, _view: came.append(host.session.call(stop())))
    host.session.call(prompt())
    host.dispatcher.run()
    (outcome,) = came
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), Cyclic)
    assert host.session.view.upto == 1


def test_a_session_that_is_closed_ignores_everything_and_says_why(host: Host) -> None:
    host.session.force_close("over")
    outcomes = [host.session.ask_close(), host.session.spawn_shell("make")]
    assert outcomes == [Failure(Ignored(reason="the session is closed"))] * 2
