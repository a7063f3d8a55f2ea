"""The threads of the hybrid dispatcher: none, one, or as many as handlers wait."""

from __future__ import annotations

import linecache
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest

from gapless.actors.runtime import (
    ActorSystem,
    HybridDispatcher,
    ManualClock,
    Ref,
    WouldBlock,
)
from gapless.typings.outcome import Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    caught_up,
    error_of,
    switching_every,
    together,
    value_of,
)


def workers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "gapless-worker"]


@pytest.fixture
def dispatcher() -> Iterator[HybridDispatcher]:
    made = HybridDispatcher()
    yield made
    made.close()
    assert workers() == []


@pytest.fixture
def system(dispatcher: HybridDispatcher) -> ActorSystem:
    return ActorSystem(dispatcher, ManualClock())


def test_before_the_first_message_it_has_no_thread(system: ActorSystem) -> None:
    assert system.alive == 0
    assert workers() == []


def asleep(worker: threading.Thread) -> bool:
    """Whether this worker stands where it waits for somebody to submit something."""
    assert worker.ident is not None
    frame = sys._current_frames().get(worker.ident)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if frame is None or frame.f_code.co_name != "_work":
        return False
    return "_inject.get()" in linecache.getline(frame.f_code.co_filename, frame.f_lineno)


def test_an_idle_one_has_one_thread_which_is_asleep(system: ActorSystem) -> None:
    for _ in range(5):
        caught_up(system.spawn(Doer))
    (worker,) = workers()
    patience = time.monotonic() + PATIENCE_S
    while not asleep(worker):
        assert time.monotonic() < patience


def answer_of(ref: Ref[Do, Give], query: Give) -> object:
    return value_of(ref.ask(query, timeout_s=PATIENCE_S))


def chain(system: ActorSystem, deepest: Give, depth: int) -> tuple[Ref[Do, Give], Give]:
    """Return whom to ask what, so that so many handlers wait, each for the next."""
    ref, query = system.spawn(Doer), deepest
    for _ in range(depth):
        last, inner = ref, query
        ref = system.spawn(Doer)
        query = Give(partial(answer_of, last, inner))
    return ref, query


def test_handlers_that_wait_for_each_other_have_substitutes_which_then_end(
    system: ActorSystem,
) -> None:
    during: list[threading.Thread] = []
    answer_of(*chain(system, Give(lambda: during.extend(workers())), 20))
    assert len(during) == 21
    *substituted, active = during
    for thread in substituted:
        thread.join(PATIENCE_S)
    assert workers() == [active]


def test_many_chains_at_once_are_all_answered(system: ActorSystem) -> None:
    asks = [chain(system, Give(lambda: 1), 5) for _ in range(6)]
    answers: list[object] = []

    def ask(ref: Ref[Do, Give], query: Give) -> None:
        answers.extend(answer_of(ref, query) for _ in range(10))

    with switching_every(1e-6):
        together([partial(ask, ref, query) for ref, query in asks])
    assert answers == [1] * 60


def joins(ident: int, thread: threading.Thread) -> bool:
    """Whether one thread waits for the end of the other."""
    frame = sys._current_frames().get(ident)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_name != "join":
        frame = frame.f_back
    return frame is not None and frame.f_locals.get("self") is thread


def test_closing_waits_until_a_thread_that_was_replaced_is_gone(
    dispatcher: HybridDispatcher, system: ActorSystem
) -> None:
    a, b = system.spawn(Doer), system.spawn(Doer)
    closer, kept = threading.get_ident(), threading.local()
    leaving, closed = threading.Event(), threading.Event()
    waited_for: list[bool] = []

    class Last:
        """The last thing that its thread lets go of."""

        def __init__(self) -> None:
            self.thread = threading.current_thread()

        def __del__(self) -> None:
            leaving.set()
            while not (closed.is_set() or joins(closer, self.thread)):
                pass
            waited_for.append(not closed.is_set())

    def be_replaced() -> object:
        kept.last = Last()
        return answer_of(b, Give(lambda: 1))

    assert answer_of(a, Give(be_replaced)) == 1
    assert leaving.wait(PATIENCE_S)
    dispatcher.close()
    closed.set()
    assert waited_for == [True]


def test_beyond_its_most_threads_a_wait_is_refused() -> None:
    dispatcher = HybridDispatcher(most_threads=2)
    system = ActorSystem(dispatcher, ManualClock())
    a, b, c = system.spawn(Doer), system.spawn(Doer), system.spawn(Doer)
    refused: list[object] = []

    def middle() -> None:
        refused.append(error_of(c.ask(Give(), timeout_s=PATIENCE_S)))

    answer_of(a, Give(lambda: answer_of(b, Give(middle))))
    assert isinstance(refused[0], WouldBlock)
    system.stop()


def test_what_waits_behind_a_handler_that_waits_is_run_by_the_substitute(
    system: ActorSystem,
) -> None:
    a, b, c = system.spawn(Doer), system.spawn(Doer), system.spawn(Doer)
    ran = threading.Event()

    def wait() -> object:
        c.tell(Do(ran.set))
        return answer_of(b, Give(lambda: ran.wait(PATIENCE_S)))

    assert answer_of(a, Give(wait))


class Doorway:
    """A handler that waits inside until it is let go on."""

    def __init__(self) -> None:
        self.inside, self.go_on = threading.Event(), threading.Event()

    def __call__(self) -> bool:
        self.inside.set()
        return self.go_on.wait(PATIENCE_S)


def test_closing_lets_a_handler_that_waits_have_its_answer_and_the_rest_run(
    dispatcher: HybridDispatcher, system: ActorSystem
) -> None:
    a, b, log, door = system.spawn(Doer), system.spawn(Doer), list[object](), Doorway()
    a.tell(Do(lambda: log.append(b.ask(Give(door), timeout_s=PATIENCE_S))))
    for number in range(40):
        a.tell(Do(partial(log.append, number)))
    assert door.inside.wait(PATIENCE_S)
    dispatcher.close(wait=False)
    door.go_on.set()
    dispatcher.close()
    assert log == [Success(True), *range(40)]  # noqa: FBT003


def test_a_handler_may_begin_to_wait_while_it_is_closed(
    dispatcher: HybridDispatcher, system: ActorSystem
) -> None:
    a, b, log, door = system.spawn(Doer), system.spawn(Doer), list[object](), Doorway()

    def wait() -> None:
        door()
        log.append(b.ask(Give(lambda: 1), timeout_s=PATIENCE_S))

    a.tell(Do(wait))
    assert door.inside.wait(PATIENCE_S)
    dispatcher.close(wait=False)
    door.go_on.set()
    dispatcher.close()
    assert log == [Success(1)]


def test_a_handler_may_close_it(dispatcher: HybridDispatcher, system: ActorSystem) -> None:
    closed = threading.Event()

    def close() -> None:
        dispatcher.close()
        closed.set()

    system.spawn(Doer).tell(Do(close))
    assert closed.wait(PATIENCE_S)


def test_closing_may_race_with_the_first_message() -> None:
    with switching_every(1e-6):
        for _ in range(100):
            dispatcher = HybridDispatcher()
            system = ActorSystem(dispatcher, ManualClock())
            together([partial(system.spawn, Doer), dispatcher.close])
            dispatcher.close()
    assert workers() == []


def test_what_is_submitted_to_a_closed_one_starts_no_thread(
    dispatcher: HybridDispatcher, system: ActorSystem
) -> None:
    dispatcher.close()
    system.spawn(Doer).tell(Do(str))
    assert workers() == []
