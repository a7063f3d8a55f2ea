"""Hosts to run actors on, and actors that do what a test tells them."""

from __future__ import annotations

import asyncio
import sys
import threading
from _thread import get_ident
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NoReturn, final

from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    Clock,
    DeadLetter,
    Death,
    Dispatcher,
    HybridDispatcher,
    LoopDispatcher,
    ManualClock,
    Query,
    Ref,
    SteppedDispatcher,
    TypedActor,
)
from gapless.actors.runtime.dispatch import Runnable
from gapless.typings.outcome import Outcome, Success

PATIENCE_S = 60.0
"""How long a test waits for what must come; never how long anything may take."""


class Halt(BaseException):
    """What handlers raise that is no ``Exception``."""


@final
class Do(Struct, frozen=True):
    """Command: do this."""

    act: Callable[[], object]


@final
class Give(Query[object], frozen=True):
    """Query: what does this come to?"""

    act: Callable[[], object] = str


class Doer(TypedActor[Do, Give]):
    """Does what it is told, and gives what it is asked."""

    def __init__(self, on_start: Callable[[], object] = str) -> None:
        super().__init__()
        self._begin = on_start

    def on_start(self) -> None:
        self._begin()

    def on_tell(self, message: Do, /) -> None:
        message.act()

    def on_ask(self, query: Give, /) -> Answer:
        return query.answer(query.act())


def raising(error: BaseException) -> Callable[[], NoReturn]:
    def act() -> NoReturn:
        raise error

    return act


@final
class Pumped:
    """A stepped dispatcher with a thread that steps it whenever there is work."""

    def __init__(self) -> None:
        self._inner = SteppedDispatcher()
        self._work = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="test-pump")
        self._thread.start()

    def submit(self, mailbox: Runnable, /) -> None:
        self._inner.submit(mailbox)
        self._work.set()

    def lend(self, done: Callable[[], bool], /) -> None:
        self._inner.lend(done)

    def close(self, *, wait: bool = True) -> None:
        del wait  # the test waits, in `end`
        self._inner.close()

    def end(self) -> None:
        self._over.set()
        self._work.set()
        self._thread.join(PATIENCE_S)

    def _pump(self) -> None:
        self._inner.driver = get_ident()
        while not self._over.is_set():
            self._work.wait()
            self._work.clear()
            self._inner.run()


@final
class Host:
    """A dispatcher, and how a test waits on it."""

    def __init__(self, kind: str, dispatcher: Dispatcher) -> None:
        self.kind = kind
        self.dispatcher = dispatcher
        self.clock = ManualClock()
        self.systems: list[ActorSystem] = []

    def system(self, clock: Clock | None = None) -> ActorSystem:
        system = ActorSystem(self.dispatcher, self.clock if clock is None else clock)
        self.systems.append(system)
        return system

    def until(self, event: threading.Event) -> bool:
        if isinstance(self.dispatcher, SteppedDispatcher):
            self.dispatcher.run()
            return event.is_set()
        return event.wait(PATIENCE_S)


@contextmanager
def on_a_loop() -> Generator[Dispatcher, None, None]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="test-loop")
    thread.start()
    try:
        yield LoopDispatcher(loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()


@contextmanager
def pumped() -> Generator[Dispatcher, None, None]:
    dispatcher = Pumped()
    try:
        yield dispatcher
    finally:
        dispatcher.end()


@contextmanager
def hosting(kind: str) -> Generator[Host, None, None]:
    """Run a host, and leave nothing of it behind."""
    kinds: dict[str, Callable[[], AbstractContextManager[Dispatcher]]] = {
        "hybrid": lambda: nullcontext(HybridDispatcher()),
        "loop": on_a_loop,
        "pumped": pumped,
        "stepped": lambda: nullcontext(SteppedDispatcher()),
    }
    with kinds[kind]() as dispatcher:
        host = Host(kind, dispatcher)
        yield host
        for system in host.systems:
            system.stop()
        dispatcher.close()


@contextmanager
def switching_every(seconds: float) -> Generator[None, None, None]:
    """Let threads interleave much more finely than they do by themselves."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def together(acts: Sequence[Callable[[], object]], patience_s: float = 4 * PATIENCE_S) -> None:
    """Do all of this, each on a thread, beginning at once; what one raises is raised here."""
    start = threading.Barrier(len(acts))
    raised: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        start.wait(PATIENCE_S)
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - raised below
            raised.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience_s)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    for error in raised:
        raise error


def value_of(outcome: Outcome[object, object]) -> object:
    assert isinstance(outcome, Success), outcome
    return outcome.unwrap()


def error_of(outcome: Outcome[object, object]) -> object:
    assert not isinstance(outcome, Success), outcome
    return outcome.failure()


def caught_up(ref: Ref[Do, Give]) -> None:
    """Return when the actor has handled what this thread sent it before."""
    value_of(ref.ask(Give(), timeout_s=PATIENCE_S))


def letters_of(system: ActorSystem, *, fatal: bool = False) -> list[DeadLetter]:
    """Collect dead letters: those that ended their actor, or all others."""
    letters: list[DeadLetter] = []

    def collect(letter: DeadLetter) -> None:
        if (letter.death is Death.FATAL) == fatal:
            letters.append(letter)

    system.dead_letters.subscribe(collect)
    return letters


def end(system: ActorSystem, ref: Ref[Do, Give]) -> None:
    """Let an actor fail, and return when it has ended."""
    ended = threading.Event()
    ref.when_ended(ended.set)
    ref.tell(Do(raising(Halt("ended by the test"))))
    if isinstance(system.dispatcher, SteppedDispatcher):
        system.dispatcher.run()
    assert ended.wait(PATIENCE_S)
