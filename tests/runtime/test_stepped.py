"""The dispatcher that runs only when it is told to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gapless.actors.runtime import ActorSystem, ManualClock, SteppedDispatcher, TimedOut
from gapless.actors.runtime.dispatch import Runnable
from tests.runtime.kit import Do, Doer, Give, error_of, value_of


@pytest.fixture
def dispatcher() -> SteppedDispatcher:
    return SteppedDispatcher()


@pytest.fixture
def system(dispatcher: SteppedDispatcher) -> ActorSystem:
    return ActorSystem(dispatcher, ManualClock())


def test_nothing_runs_until_it_is_stepped(
    dispatcher: SteppedDispatcher, system: ActorSystem
) -> None:
    log: list[int] = []
    ref = system.spawn(Doer)
    ref.tell(Do(lambda: log.append(1)))
    ref.tell(Do(lambda: log.append(2)))
    assert log == []
    dispatcher.step()
    assert log == [1]
    dispatcher.step()
    assert log == [1, 2]
    assert not dispatcher.step()


def test_whoever_steps_chooses_who_goes_next(
    dispatcher: SteppedDispatcher, system: ActorSystem
) -> None:
    log: list[str] = []
    first, second = system.spawn(Doer), system.spawn(Doer)
    dispatcher.run()
    first.tell(Do(lambda: log.append("first")))
    second.tell(Do(lambda: log.append("second")))
    assert dispatcher.ready == (first.mailbox, second.mailbox)
    dispatcher.step(second.mailbox)
    dispatcher.step(first.mailbox)
    assert log == ["second", "first"]


def test_one_that_has_no_work_cannot_be_stepped(
    dispatcher: SteppedDispatcher, system: ActorSystem
) -> None:
    ref = system.spawn(Doer)
    dispatcher.run()
    with pytest.raises(ValueError, match="not in list"):
        dispatcher.step(ref.mailbox)


def test_when_it_is_closed_nobody_has_work(
    dispatcher: SteppedDispatcher, system: ActorSystem
) -> None:
    ref = system.spawn(Doer)
    dispatcher.close()
    ref.tell(Do(str))
    assert dispatcher.ready == ()
    assert dispatcher.run() == 0


def test_a_deadline_holds_beside_an_actor_that_tells_itself_for_ever() -> None:
    here = ActorSystem(SteppedDispatcher(), ManualClock())
    never = ActorSystem(Elsewhere(), ManualClock()).spawn(Doer)
    busy = here.spawn(Doer)

    def again() -> None:
        busy.tell(Do(again))

    again()
    asked = here.spawn(Doer).ask(Give(lambda: error_of(never.ask(Give(), timeout_s=0.01))))
    assert value_of(asked) == TimedOut(seconds=0.01)


class Elsewhere:
    """A dispatcher that never gets to it."""

    def submit(self, mailbox: Runnable, /) -> None: ...

    def lend(self, done: Callable[[], bool], /) -> None: ...

    def close(self, *, wait: bool = True) -> None: ...
