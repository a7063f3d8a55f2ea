"""What does a question and its answer cost, each way of asking?

The asker is outside: the main thread, or a coroutine where the actors live on its event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from queue import SimpleQueue
from statistics import median, quantiles
from threading import Thread
from typing import Final, Never, TypeAlias, assert_never, final

from pykka import ThreadingActor

from bench.rounds import Contender, Row, compete
from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    DispatchedActor,
    HybridDispatcher,
    LoopDispatcher,
    Next,
    Query,
    Ref,
    StepActor,
    TypedActor,
)

ASKS: Final = 2_000

Asker: TypeAlias = Callable[[int], list[float]]
"""Asks so many times and returns the seconds of each."""


class Ping(Query[int], frozen=True, kw_only=True):
    """Asks for the number it brings."""

    number: int


class TypedPong(TypedActor[Never, Ping]):
    """Answers."""

    @final
    def on_tell(self, message: Never, /) -> None:
        """Never called."""
        assert_never(message)

    def on_ask(self, query: Ping, /) -> Answer:
        """Answer."""
        return query.answer(query.number)


class SteppedPong(StepActor[int, Never, Ping]):
    """Answers from a state that is committed step by step."""

    def step(self, state: int, message: Never, /) -> Next[int]:
        """Never called."""
        del state
        assert_never(message)

    def on_ask(self, query: Ping, /) -> Answer:
        """Answer."""
        return query.answer(query.number)


class StockPong(ThreadingActor):
    """Answers, on its own thread."""

    use_daemon_thread = True

    def on_receive(self, message: int) -> int:
        """Answer."""
        return message


class BarePong(DispatchedActor):
    """Answers, on a dispatcher."""

    def on_receive(self, message: int) -> int:
        """Answer."""
        return message


def blocking(ask: Callable[[], object]) -> Asker:
    """Ask from a thread."""

    def run(count: int) -> list[float]:
        seconds: list[float] = []
        for _ in range(count):
            start = time.perf_counter()
            ask()
            seconds.append(time.perf_counter() - start)
        return seconds

    return run


def awaiting(loop: asyncio.AbstractEventLoop, ask: Callable[[], Awaitable[object]]) -> Asker:
    """Ask from a coroutine."""

    async def run(count: int) -> list[float]:
        seconds: list[float] = []
        for _ in range(count):
            start = time.perf_counter()
            await ask()
            seconds.append(time.perf_counter() - start)
        return seconds

    return lambda count: loop.run_until_complete(run(count))


@contextmanager
def stock() -> Generator[Asker, None, None]:
    """Ask a stock actor."""
    ref = StockPong.start()
    yield blocking(lambda: ref.ask(1))
    ref.stop()


@contextmanager
def bare() -> Generator[Asker, None, None]:
    """Ask a pykka actor on a dispatcher, through pykka's own reference."""
    dispatcher = HybridDispatcher()
    actor = BarePong()
    actor.mailbox.open(actor, dispatcher)
    yield blocking(lambda: actor.actor_ref.ask(1))
    dispatcher.close()


@contextmanager
def typed(
    make: Callable[[], TypedActor[Never, Ping]], ask: Callable[[Ref[Never, Ping]], object]
) -> Generator[Asker, None, None]:
    """Ask a typed actor."""
    with ActorSystem() as system:
        ref = system.spawn(make)
        yield blocking(lambda: ask(ref))


@contextmanager
def looped(ask: Callable[[Ref[Never, Ping]], Awaitable[object]]) -> Generator[Asker, None, None]:
    """Ask a typed actor on the asker's event loop."""
    loop = asyncio.new_event_loop()
    dispatcher = LoopDispatcher(loop)
    ref = ActorSystem(dispatcher).spawn(TypedPong)
    yield awaiting(loop, lambda: ask(ref))
    dispatcher.close()
    loop.close()


@contextmanager
def tasks() -> Generator[Asker, None, None]:
    """Ask a task."""
    loop = asyncio.new_event_loop()
    queue: asyncio.Queue[asyncio.Future[int]] = asyncio.Queue()

    async def serve() -> None:
        while True:
            (await queue.get()).set_result(1)

    def ask() -> asyncio.Future[int]:
        answer: asyncio.Future[int] = loop.create_future()
        queue.put_nowait(answer)
        return answer

    task = loop.create_task(serve())
    yield awaiting(loop, ask)
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()


@contextmanager
def queues() -> Generator[Asker, None, None]:
    """Ask a thread."""
    questions: SimpleQueue[SimpleQueue[int] | None] = SimpleQueue()

    def serve() -> None:
        while (answers := questions.get()) is not None:
            answers.put(1)

    def ask() -> int:
        answers: SimpleQueue[int] = SimpleQueue()
        questions.put(answers)
        return answers.get()

    Thread(target=serve, daemon=True).start()
    yield blocking(ask)
    questions.put(None)


@contextmanager
def calls() -> Generator[Asker, None, None]:
    """Ask nobody."""
    ping = Ping(number=1)
    yield blocking(lambda: ping.number)


def with_deadline(ref: Ref[Never, Ping]) -> object:
    """Ask, for five seconds at most."""
    return ref.ask(Ping(number=1))


def without_deadline(ref: Ref[Never, Ping]) -> object:
    """Ask, and wait for however long it takes."""
    return ref.ask_later(Ping(number=1)).get()


def awaited_with_deadline(ref: Ref[Never, Ping]) -> Awaitable[object]:
    """Ask, for five seconds at most."""
    return ref.ask_async(Ping(number=1))


def awaited_without_deadline(ref: Ref[Never, Ping]) -> Awaitable[object]:
    """Ask, and wait for however long it takes."""
    return ref.ask_later(Ping(number=1))


def contestants() -> dict[str, AbstractContextManager[Asker]]:
    """Return who is asked, and how."""
    return {
        "stock pykka": stock(),
        "ours, pykka's ActorRef.ask": bare(),
        "ours, Ref.ask": typed(TypedPong, with_deadline),
        "ours, Ref.ask_later, no deadline": typed(TypedPong, without_deadline),
        "ours, StepActor": typed(lambda: SteppedPong(0), with_deadline),
        "ours, Ref.ask_async on asyncio": looped(awaited_with_deadline),
        "ours, awaited, no deadline": looped(awaited_without_deadline),
        "asyncio.Queue and a task": tasks(),
        "SimpleQueue and a thread": queues(),
        "a plain call": calls(),
    }


def noting(asker: Asker, count: int, seconds: list[float]) -> Contender:
    """Ask, and keep how long each took."""

    def run() -> int:
        seconds.extend(asker(count))
        return count

    return run


def compare(rounds: int, *, quick: bool) -> list[Row]:
    """Run the contest."""
    print("\nask, round trips from outside", flush=True)
    with ExitStack() as stack:
        contenders: dict[str, Contender] = {}
        seconds: dict[str, list[float]] = {}
        for name, entered in contestants().items():
            seconds[name] = []
            asker = stack.enter_context(entered)
            contenders[name] = noting(asker, ASKS // 10 if quick else ASKS, seconds[name])
        rows = compete(contenders, rounds)
    for row in rows:
        taken = seconds[row.name]
        p50, p99 = median(taken) * 1e6, quantiles(taken, n=100)[98] * 1e6
        print(f"{row}  p50 {p50:.1f} us, p99 {p99:.1f} us", flush=True)
    return rows
