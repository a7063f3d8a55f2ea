"""Where can an actor live? Every contender behind one face, so that all of them get the same work.

An actor is a handler of ints. Each host calls it from its own kind of actor, so every one
pays the same extra call. Work comes from threads where a host has threads; where it has an event
loop it comes from that loop, as it would in an asyncio program.
"""

from __future__ import annotations

import asyncio
import threading
import time
from _thread import allocate_lock
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from typing import Final, NamedTuple, Never, TypeAlias, assert_never, final

from pykka import ActorRef, ThreadingActor

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    CommandActor,
    DispatchedActor,
    HybridDispatcher,
    LoopDispatcher,
    Next,
    Outgoing,
    StepActor,
    to,
)
from gapless.actors.runtime.mailbox import Mailbox

Handle: TypeAlias = Callable[[int], object]
Post: TypeAlias = Callable[[int], object]
Work: TypeAlias = Callable[[], object]


class Place(NamedTuple):
    """How to reach an actor: from outside, and from the handler of another one."""

    post: Post
    send: Post


class Host(ABC):
    """Lets actors live, gives them work and waits until a handler says that it is done."""

    threads: bool = False
    """Whether each actor takes a thread, so that there cannot be many."""

    nests: bool = False
    """Whether a send is a call that returns once everything is done."""

    @abstractmethod
    def spawn(self, handle: Handle, /) -> Place:
        """Let an actor live, until ``close``."""

    @abstractmethod
    def finish(self) -> None:
        """Say in a handler that the work is done."""

    @abstractmethod
    def run(self, works: Sequence[Work], /) -> None:
        """Do each work as a producer of its own, and wait until all of it is done."""

    @abstractmethod
    def time_each(self, works: Iterable[Work], /) -> list[float]:
        """Do one work after the other, each when the one before is done; return their seconds."""

    @abstractmethod
    def close(self) -> None:
        """Let the actors go."""


class Threaded(Host):
    """A host whose handlers run on other threads than the producers."""

    def __init__(self) -> None:
        self._baton = allocate_lock()
        self._baton.acquire()

    def finish(self) -> None:
        """Pass the baton."""
        self._baton.release()

    def run(self, works: Sequence[Work], /) -> None:
        """Take the baton when it comes."""
        if len(works) == 1:
            works[0]()
        else:
            producers = [threading.Thread(target=work) for work in works]
            for producer in producers:
                producer.start()
        self._baton.acquire()

    def time_each(self, works: Iterable[Work], /) -> list[float]:
        """Take the baton after each."""
        return [self._timed(work) for work in works]

    def _timed(self, work: Work) -> float:
        start = time.perf_counter()
        work()
        self._baton.acquire()
        return time.perf_counter() - start


class Looped(Host):
    """A host whose handlers and producers share the thread of an event loop."""

    def __init__(self) -> None:
        self.loop: Final = asyncio.new_event_loop()
        self._done: asyncio.Future[None] = self.loop.create_future()

    def finish(self) -> None:
        """Wake the producer."""
        self._done.set_result(None)

    def run(self, works: Sequence[Work], /) -> None:
        """Run the loop until a handler is done with it."""
        self.loop.run_until_complete(self._run(works))

    def time_each(self, works: Iterable[Work], /) -> list[float]:
        """Time them within the loop."""
        return self.loop.run_until_complete(self._time_each(works))

    async def _run(self, works: Sequence[Work]) -> None:
        self._done = self.loop.create_future()
        for work in works:
            self.loop.call_soon(work)
        await self._done

    async def _time_each(self, works: Iterable[Work]) -> list[float]:
        seconds: list[float] = []
        for work in works:
            self._done = self.loop.create_future()
            start = time.perf_counter()
            work()
            await self._done
            seconds.append(time.perf_counter() - start)
        return seconds


class Calls(Host):
    """The floor: a message is a call."""

    nests = True

    def close(self) -> None:
        """Nobody is left."""

    def spawn(self, handle: Handle, /) -> Place:
        """Return the handler."""
        return Place(handle, handle)

    def finish(self) -> None:
        """Nobody waits."""

    def run(self, works: Sequence[Work], /) -> None:
        """Do it."""
        for work in works:
            work()

    def time_each(self, works: Iterable[Work], /) -> list[float]:
        """Do it, and look at the clock."""
        seconds: list[float] = []
        for work in works:
            start = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - start)
        return seconds


class _StockActor(ThreadingActor):
    use_daemon_thread = True

    def __init__(self, handle: Handle) -> None:
        super().__init__()
        self._handle = handle

    def on_receive(self, message: int) -> None:
        self._handle(message)


class Stock(Threaded):
    """pykka as it comes: a thread and a ``queue.Queue`` an actor."""

    threads = True

    def __init__(self) -> None:
        super().__init__()
        self._refs: list[ActorRef[_StockActor]] = []

    def spawn(self, handle: Handle, /) -> Place:
        """Start a ``ThreadingActor``."""
        ref = _StockActor.start(handle)
        self._refs.append(ref)
        return Place(ref.tell, ref.tell)

    def close(self) -> None:
        """Stop them."""
        for ref in reversed(self._refs):
            ref.stop()


class Queues(Threaded):
    """The least a thread needs to take messages: a ``SimpleQueue``."""

    threads = True

    def __init__(self) -> None:
        super().__init__()
        self._queues: list[SimpleQueue[int | None]] = []

    def spawn(self, handle: Handle, /) -> Place:
        """Start a thread that reads a queue."""
        queue: SimpleQueue[int | None] = SimpleQueue()
        self._queues.append(queue)
        threading.Thread(target=_read, args=(queue, handle), daemon=True).start()
        return Place(queue.put, queue.put)

    def close(self) -> None:
        """Stop them."""
        for queue in self._queues:
            queue.put(None)


def _read(queue: SimpleQueue[int | None], handle: Handle) -> None:
    while (message := queue.get()) is not None:
        handle(message)


class Tasks(Looped):
    """What asyncio offers: an ``asyncio.Queue`` and a task."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: list[asyncio.Task[None]] = []

    def spawn(self, handle: Handle, /) -> Place:
        """Start a task that reads a queue."""
        queue: asyncio.Queue[int] = asyncio.Queue()
        self._tasks.append(self.loop.create_task(_serve(queue, handle)))
        return Place(queue.put_nowait, queue.put_nowait)

    def close(self) -> None:
        """Cancel them."""
        for task in self._tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self.loop.close()


async def _serve(queue: asyncio.Queue[int], handle: Handle) -> None:
    while True:
        handle(await queue.get())


class _BareActor(DispatchedActor):
    def __init__(self, handle: Handle) -> None:
        super().__init__()
        self._handle = handle

    def on_receive(self, message: int) -> None:
        self._handle(message)


class Bare(Threaded):
    """Our mailboxes and nothing on top: a pykka actor without types, told by ``Mailbox.post``."""

    def __init__(self) -> None:
        super().__init__()
        self._dispatcher = HybridDispatcher()
        self._mailboxes: list[Mailbox] = []

    def spawn(self, handle: Handle, /) -> Place:
        """Open a mailbox."""
        actor = _BareActor(handle)
        actor.mailbox.open(actor, self._dispatcher)
        self._mailboxes.append(actor.mailbox)
        return Place(actor.mailbox.post, actor.mailbox.post)

    def close(self) -> None:
        """End the worker."""
        self._dispatcher.close()


class TypedHandler(CommandActor[int]):
    """A typed actor around a handler."""

    def __init__(self, handle: Handle) -> None:
        super().__init__()
        self._handle = handle

    def on_tell(self, message: int, /) -> None:
        """Handle it."""
        self._handle(message)


class Typed(Threaded):
    """What users get: typed actors in a system, told by ``Ref.tell``."""

    def __init__(self) -> None:
        super().__init__()
        self.system: Final = ActorSystem()

    def spawn(self, handle: Handle, /) -> Place:
        """Spawn a ``TypedActor``."""
        ref = self.system.spawn(TypedHandler, handle)
        return Place(ref.tell, ref.tell)

    def close(self) -> None:
        """Stop the system."""
        self.system.stop()


class TypedOnLoop(Looped):
    """The same typed actors in an asyncio program."""

    def __init__(self) -> None:
        super().__init__()
        self._system = ActorSystem(LoopDispatcher(self.loop))

    def spawn(self, handle: Handle, /) -> Place:
        """Spawn a ``TypedActor``."""
        ref = self._system.spawn(TypedHandler, handle)
        return Place(ref.tell, ref.tell)

    def close(self) -> None:
        """Close the loop."""
        self._system.dispatcher.close()
        self.loop.close()


class _StepHandler(StepActor[int, int, Never]):
    """Counts its messages; sends what its handler wants sent, once the count is committed."""

    def __init__(self, handle: Handle, outbox: list[Outgoing]) -> None:
        super().__init__(0)
        self._handle = handle
        self._wanted = outbox

    def step(self, state: int, message: int, /) -> Next[int]:
        self._handle(message)
        wanted = self._wanted
        if not wanted:
            return Next(state + 1)
        sends = tuple(wanted)
        wanted.clear()
        return Next(state + 1, sends)

    @final
    def on_ask(self, query: Never, /) -> Answer:
        assert_never(query)


class Stepped(Threaded):
    """Actors that commit their next state and what it sends together, or neither."""

    def __init__(self) -> None:
        super().__init__()
        self._system = ActorSystem()
        self._outbox: list[Outgoing] = []  # one worker runs all steps, and each empties it

    def spawn(self, handle: Handle, /) -> Place:
        """Spawn a ``StepActor``."""
        ref = self._system.spawn(_StepHandler, handle, self._outbox)

        def send(message: int) -> None:
            self._outbox.append(to(ref, message))

        return Place(ref.tell, send)

    def close(self) -> None:
        """Stop the system."""
        self._system.stop()


HOSTS: Final[dict[str, type[Host]]] = {
    "stock pykka": Stock,
    "ours, bare Mailbox.post": Bare,
    "ours, Ref.tell": Typed,
    "ours, StepActor": Stepped,
    "ours, Ref.tell on asyncio": TypedOnLoop,
    "asyncio.Queue and a task": Tasks,
    "SimpleQueue and a thread": Queues,
    "a plain call": Calls,
}
"""The contenders; all are compared to the first."""
