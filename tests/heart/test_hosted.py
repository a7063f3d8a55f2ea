"""A session as its host holds it: what a call comes to, whatever becomes of the session."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import cast, final

import pytest

from gapless.actors.hosting.doing import Effects
from gapless.actors.hosting.session import Session
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
from gapless.messages.answers import Busy, Called
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs import (
    CloseAsked,
    PromptSubmitted,
    SignalFailed,
    Signalled,
    Spawned,
    SpawnFailed,
)
from gapless.messages.recorded import Recorded
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.close import ForgedPermit, Held, Permitted, StalePermit
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.reading import read
from gapless.typings.settings import Settings
from gapless.typings.shells import Leaving, Output, ReadFailure
from gapless.typings.spawning import NotRunnable, SpawnFault
from gapless.typings.states import Ended
from tests.runtime.kit import PATIENCE_S, hosting
from tests.support.hosting import open_session
from tests.support.words import HELD_BY_SHELLS, prompt, stop


@final
class Host:
    """One session on the stepped dispatcher, whose calls let the actors go on."""

    def __init__(self, settings: Settings) -> None:
        self.dispatcher = SteppedDispatcher()
        self.system = ActorSystem(self.dispatcher, ManualClock())
        self.effects: Effects = EffectRunner(1)
        self.processes = SimulatedProcesses()
        self.session: Session = open_session(
            "s", self.system, self.effects, self.processes, settings
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
    outcome = host.session.call(prompt()).wait()
    assert isinstance(outcome, Success)
    assert host.session.view.upto == outcome.unwrap().number
    assert read(host.session.view).state == "working"


def test_a_call_to_a_session_that_was_stopped_is_answered_at_once(host: Host) -> None:
    host.system.stop()
    assert host.session.call(prompt()).wait(PATIENCE_S) == Failure(AskGone())


def test_a_call_that_waits_when_its_session_is_stopped_is_answered(host: Host) -> None:
    waiting = host.session.call(prompt())
    host.system.stop()
    assert waiting.done


def test_a_call_that_the_session_never_answers_times_out(host: Host) -> None:
    host.dispatcher.driver = -1  # nobody steps it
    assert host.session.call(prompt()).wait(0.001) == Failure(TimedOut(seconds=0.001))


def test_a_call_on_the_thread_of_its_own_loop_comes_back() -> None:
    """It could not end: that thread is the one that would bring the answer."""
    effects: Effects = EffectRunner(1)
    came: list[object] = []
    over = threading.Event()

    class Caller(CommandActor[PromptSubmitted]):
        def on_tell(self, message: PromptSubmitted, /) -> None:
            came.append(session.call(message).wait(PATIENCE_S))
            over.set()

    with hosting("loop") as loop:
        system = ActorSystem(loop.dispatcher)
        loop.systems.append(system)
        session = open_session("s", system, effects, SimulatedProcesses())
        system.spawn(Caller).tell(prompt())
        assert over.wait(PATIENCE_S)
    effects.close()
    (outcome,) = came
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), WouldBlock)


def test_a_call_is_refused_while_very_many_inputs_wait(host: Host) -> None:
    calls = [host.session.call(prompt()) for _ in range(4)]
    host.dispatcher.run()
    outcomes: list[Outcome[Called, object]] = [it.wait() for it in calls]
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
    host.session.call(prompt()).wait()
    assert heard == [1]


def permitted(session: Session) -> Permitted:
    answer = session.ask_close().wait().unwrap()
    assert isinstance(answer, Permitted)
    return answer


def test_a_permit_closes_once(host: Host) -> None:
    host.session.call(stop()).wait()
    permit = permitted(host.session).permit
    assert isinstance(host.session.close(permit).wait().unwrap(), Ended)
    assert host.session.close(permit).wait() == Failure(ForgedPermit())


def test_a_permit_of_another_session_closes_nothing(host: Host) -> None:
    """Although it has the same numbers."""
    other = Host(Settings())
    for it in (host, other):
        it.session.call(stop()).wait()
    ours, theirs = permitted(host.session), permitted(other.session)
    assert (ours.permit.question, ours.as_of) == (theirs.permit.question, theirs.as_of)
    assert host.session.close(theirs.permit).wait() == Failure(ForgedPermit())
    other.effects.close()


def test_a_permit_is_stale_once_a_turn_began(host: Host) -> None:
    host.session.call(stop()).wait()
    asked = permitted(host.session)
    host.session.call(prompt()).wait()
    host.session.call(stop()).wait()
    refused = host.session.close(asked.permit).wait()
    assert refused == Failure(StalePermit(as_of=asked.as_of))


def test_with_an_open_turn_a_close_question_is_held_at_once(host: Host) -> None:
    host.session.call(prompt()).wait()
    assert isinstance(host.session.ask_close().wait().unwrap(), Held)


def test_a_close_question_may_wait_for_the_turn_to_end(host: Host) -> None:
    host.session.call(prompt()).wait()

    def end_the_turn(row: Recorded, _: object) -> None:
        if isinstance(row.what, CloseAsked):
            host.session.tell(stop())

    host.session.on_view(end_the_turn)
    assert isinstance(host.session.ask_close(drain_ms=60_000).wait().unwrap(), Permitted)


def test_a_shell_that_cannot_be_started_says_why_and_holds_no_more(host: Host) -> None:
    holds: list[object] = []
    host.session.on_version(lambda view: holds.append(read(view).holds))
    spawning = host.session.spawn_shell()  # there is nothing to run
    host.dispatcher.run()
    host.effects.close()
    host.dispatcher.run()
    assert spawning.wait() == Failure(NotRunnable(reason="no command was given"))
    assert holds == [HELD_BY_SHELLS, ()]


class Unhelpful:
    """Processes of which nobody knows anything."""

    def stop(self, effect: StopShell, /) -> Signalled | SignalFailed:
        raise OSError(effect)

    def leave(self, leaving: Leaving, /) -> None:
        del leaving

    def trim(self, keep: Callable[[ManagedId], bool], /) -> None:
        del keep

    def record(self, shell: ManagedId, /) -> None:
        del shell

    def read(
        self, shell: ManagedId, /, *, offset: int, most_bytes: int
    ) -> Outcome[Output, ReadFailure]:
        raise OSError(shell, offset, most_bytes)

    def tail(self, shell: ManagedId, /, *, most_bytes: int) -> Outcome[Output, ReadFailure]:
        raise OSError(shell, most_bytes)


@final
class NoProcesses(Unhelpful):
    """A machine on which nothing can be started."""

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        raise OSError(effect, exited)


def test_an_effect_that_raises_is_one_that_failed(host: Host) -> None:
    session = open_session("other", host.system, host.effects, NoProcesses())
    spawning = session.spawn_shell("make")
    host.dispatcher.run()
    host.effects.close()
    host.dispatcher.run()
    outcome = spawning.wait()
    assert isinstance(outcome, Failure)
    fault = outcome.failure()
    assert isinstance(fault, SpawnFault)
    assert "OSError" in fault.error


def test_a_session_opened_again_under_its_name_starts_its_own_shell(host: Host) -> None:
    """Although it has the same shell, number and command."""
    running: list[int] = []
    for _ in range(2):
        processes = SimulatedProcesses()
        session = open_session("again", host.system, host.effects, processes)
        started = threading.Event()
        session.spawn_shell("make").when_done(lambda _: started.set())  # noqa: B023
        host.wait_for(started)
        running.append(len(processes.running))
    assert running == [1, 1]


def test_two_sessions_that_share_their_processes_are_told_so(host: Host) -> None:
    names = ("one", "two")
    sessions = [open_session(it, host.system, host.effects, host.processes) for it in names]
    spawning = [it.spawn_shell("make") for it in sessions]
    host.dispatcher.run()
    host.effects.close()
    host.dispatcher.run()
    first, second = (it.wait() for it in spawning)
    assert isinstance(first, Success)
    assert isinstance(second, Failure)
    assert isinstance(second.failure(), SpawnFault)


@final
class UntypedProcesses(Unhelpful):
    """Says nothing of what came of it."""

    def spawn(
        self, effect: SpawnShell, exited: Callable[[int | None], object], /
    ) -> Spawned | SpawnFailed:
        del effect, exited
        return cast("Spawned", None)  # what a host without types may do


def test_processes_that_return_nothing_have_failed(host: Host) -> None:
    session = open_session("other", host.system, host.effects, UntypedProcesses())
    spawning = session.spawn_shell("make")
    host.dispatcher.run()
    host.effects.close()
    host.dispatcher.run()
    assert isinstance(spawning.wait(), Failure)
    assert read(session.view).holds == ()


def test_of_many_permits_the_last_closes_and_the_others_are_stale(host: Host) -> None:
    host.session.call(stop()).wait()
    first, last = permitted(host.session), permitted(host.session)
    assert host.session.close(first.permit).wait() == Failure(StalePermit(as_of=first.as_of))
    assert isinstance(host.session.close(last.permit).wait(), Success)


def test_to_wait_in_a_listener_of_its_session_comes_back(host: Host) -> None:
    came: list[object] = []

    def call(row: Recorded, _: object) -> None:
        if row.number == 1:
            came.append(host.session.call(stop()).wait())

    host.session.on_view(call)
    host.session.call(prompt()).wait()
    host.dispatcher.run()
    (outcome,) = came
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), Cyclic)
    assert host.session.view.upto == 2, "it was called all the same"


def test_what_is_called_after_a_session_is_over_comes_back(host: Host) -> None:
    assert isinstance(host.session.force_close("over").wait(), Success)
    host.dispatcher.run()
    assert host.system.alive == 0
    assert host.session.call(prompt()).wait() == Failure(AskGone())
    assert host.session.ask_close().wait() == Failure(AskGone())
    assert host.session.spawn_shell("make").wait() == Failure(AskGone())
    assert read(host.session.view).state == "ended"


def test_what_waits_when_a_session_is_closed_is_ignored_or_comes_back(host: Host) -> None:
    closing, waiting = host.session.force_close("over"), host.session.ask_close()
    host.dispatcher.run()
    assert isinstance(closing.wait(), Success)
    assert isinstance(waiting.wait(), Failure)
