"""What does each guarantee cost a message?

The same flood again and again, each time with one guarantee more: a price is the difference to the
row before. All is sent first and then handled on this thread, by ``Mailbox.run`` itself,
because two threads that take turns cost more than any guarantee, and not always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Final, Never

from bench.rounds import Contender, Row, compete, spread
from bench.traffic import flood
from gapless.actors.runtime import (
    ActorSystem,
    CommandActor,
    DispatchedActor,
    Next,
    Ref,
    StepActor,
    to,
)
from gapless.actors.runtime.dispatch import THROUGHPUT, Runnable

COUNT: Final = 20_000


class Inline:
    """A dispatcher that runs what has work when it is told to."""

    def __init__(self) -> None:
        self._ready: list[Runnable] = []

    def submit(self, mailbox: Runnable, /) -> None:
        """Remember it."""
        self._ready.append(mailbox)

    def lend(self, done: Callable[[], bool], /) -> None:
        """Nobody waits here."""

    def close(self, *, wait: bool = True) -> None:
        """Nothing to end."""

    def run(self) -> None:
        """Run all, each a turn at a time."""
        while self._ready:
            mailbox = self._ready.pop()
            if mailbox.run(THROUGHPUT):
                self._ready.append(mailbox)


class Contained(DispatchedActor):
    """A failure is its own end, and nobody else's."""

    def on_receive(self, message: object) -> None:
        """Handle nothing."""


class Unguarded(Contained, machinery=True):
    """A failure would be the dispatcher's."""

    def take(self, message: object) -> None:
        """Handle it, with nothing around."""
        self.on_receive(message)


class Sink(CommandActor[int]):
    """A typed actor that handles nothing."""

    def on_tell(self, message: int, /) -> None:
        """Handle nothing."""


class AtomicSink(StepActor[int, int, Never]):
    """An actor that commits a state a message."""

    on_ask = CommandActor[int].on_ask

    def step(self, state: int, message: int, /) -> Next[int]:
        """Commit."""
        return Next(state + message)


class Pass(CommandActor[int]):
    """A typed actor that tells another one."""

    def __init__(self, other: Ref[int, Never]) -> None:
        super().__init__()
        self._other = other

    def on_tell(self, message: int, /) -> None:
        """Pass it on."""
        self._other.tell(message)


class AtomicPass(StepActor[Ref[int, Never], int, Never]):
    """An actor that tells another one once its state is committed."""

    on_ask = CommandActor[int].on_ask

    def step(self, state: Ref[int, Never], message: int, /) -> Next[Ref[int, Never]]:
        """Pass it on."""
        return Next(state, (to(state, message),))


class Faulty(AtomicSink):
    """An actor that fails at each message, twice."""

    def step(self, state: int, message: int, /) -> Next[int]:
        """Fail.

        Raises:
            ValueError: always.

        """
        raise ValueError(state, message)


class Flood:
    """Everything that may be flooded, on one dispatcher that runs when all is sent."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._inline = Inline()
        self._system = ActorSystem(self._inline)

    def into(self, post: Callable[[int], object]) -> Contender:
        """Send, then handle."""

        def run() -> int:
            flood(post, self._count)
            self._inline.run()
            return self._count

        return run

    def ladder(self) -> dict[str, Contender]:
        """Return the guarantees, one upon the other."""
        unguarded, contained = Unguarded(), Contained()
        for actor in (unguarded, contained):
            actor.mailbox.open(actor, self._inline)
        typed, atomic = self._system.spawn(Sink), self._system.spawn(AtomicSink, 0)
        return {
            "a mailbox, nothing contained": self.into(unguarded.mailbox.post),
            "+ supervision: failure contained": self.into(contained.mailbox.post),
            "+ typed handler: TypedActor": self.into(typed.mailbox.post),
            "+ typed face: Ref.tell": self.into(typed.tell),
            "+ atomic apply: StepActor": self.into(atomic.tell),
            "+ a fault: retried, then parked": self.into(self._system.spawn(Faulty, 0).tell),
        }

    def passing_on(self) -> dict[str, Contender]:
        """Return actors that pass each message on, at once or with the state they commit."""
        sink = self._system.spawn(Sink)
        return {
            "passed on, TypedActor": self.into(self._system.spawn(Pass, sink).tell),
            "+ atomic send: StepActor's outbox": self.into(
                self._system.spawn(AtomicPass, sink).tell
            ),
        }


def price(before: Row, after: Row) -> str:
    """Return what the later row costs more."""
    more = [1e9 / b - 1e9 / a for a, b in zip(before.rates, after.rates, strict=True)]
    ratios = [b / a for a, b in zip(before.rates, after.rates, strict=True)]
    name, rate = after.name, median(after.rates)
    cost = f"{median(more):+9,.0f} ns {spread(more, '+,.0f')}"
    return f"  {name:<34} {rate:>11,.0f} a second  {cost:<36} {median(ratios):5.2f}x the row before"


def compare(rounds: int, *, quick: bool) -> None:
    """Print the price list."""
    print("\nthe price of each guarantee, a message (no threads)", flush=True)
    wares = Flood(COUNT // 10 if quick else COUNT)
    for contenders in (wares.ladder(), wares.passing_on()):
        rows = compete(contenders, rounds)
        print(f"  {rows[0].name:<34} {median(rows[0].rates):>11,.0f} a second")
        for before, after in pairwise(rows):
            print(price(before, after), flush=True)
