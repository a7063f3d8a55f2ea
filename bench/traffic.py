"""How fast is a message: from one to one, round a ring, from many to one?

Each contest does the same work on every host, as much of it as takes about a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Final, TypeAlias

from bench.hosts import HOSTS, Host, Post, Work
from bench.rounds import Contender, Row, compete

RING: Final = 100
PRODUCERS: Final = 8

Contest: TypeAlias = Callable[[Host, int], Contender]

AMOUNTS: Final = {
    "stock pykka": (8_000, 3_000),
    "asyncio.Queue and a task": (80_000, 10_000),
    "SimpleQueue and a thread": (160_000, 4_000),
    "a plain call": (400_000, 400_000),
}
"""Messages in a tell or fan-in, and hops round the ring."""
OURS: Final = (80_000, 40_000)


class Counter:
    """Takes so many messages, then is done."""

    def __init__(self, finish: Work) -> None:
        self._finish = finish
        self.left: int = 0

    def handle(self, _message: int) -> None:
        """Count it."""
        self.left -= 1
        if not self.left:
            self._finish()


class Relay:
    """Passes a token on for as many hops as it says."""

    def __init__(self, finish: Work) -> None:
        self._finish = finish
        self.next: Post = self.handle

    def handle(self, hops: int) -> None:
        """Pass it on."""
        if hops:
            self.next(hops - 1)
        else:
            self._finish()


def flood(post: Post, count: int) -> None:
    """Send so many messages as fast as they go."""
    for _ in range(count):
        post(1)


def tell(host: Host, count: int, producers: int = 1) -> Contender:
    """Send to one actor, and wait until all is handled."""
    counter = Counter(host.finish)
    post = host.spawn(counter.handle).post
    share = count // producers

    def run() -> int:
        counter.left = share * producers
        host.run([partial(flood, post, share)] * producers)
        return share * producers

    return run


def fan_in(host: Host, count: int) -> Contender:
    """Send to one actor from several producers."""
    return tell(host, count, PRODUCERS)


def ring(host: Host, hops: int) -> Contender:
    """Let a token go round; calls nest, so there it goes round once at a time."""
    relays = [Relay(host.finish) for _ in range(RING)]
    places = [host.spawn(relay.handle) for relay in relays]
    for number, relay in enumerate(relays):
        relay.next = places[(number + 1) % RING].send
    at_once = RING if host.nests else hops
    works = [partial(places[0].post, at_once - 1)] * (hops // at_once)

    def run() -> int:
        host.run(works)
        return hops

    return run


@contextmanager
def contenders(
    contest: Contest, column: int, *, quick: bool
) -> Generator[dict[str, Contender], None, None]:
    """Let every host do one contest."""
    with ExitStack() as stack:
        ready: dict[str, Contender] = {}
        for name, make in HOSTS.items():
            host = stack.enter_context(closing(make()))
            count = AMOUNTS.get(name, OURS)[column]
            ready[name] = contest(host, count // 10 if quick else count)
        yield ready


def compare(rounds: int, *, quick: bool) -> dict[str, list[Row]]:
    """Run the three contests."""
    contests: dict[str, tuple[Contest, int]] = {
        "tell, from one producer to one actor": (tell, 0),
        f"ring of {RING} actors, hops": (ring, 1),
        f"fan-in, from {PRODUCERS} producers to one actor": (fan_in, 0),
    }
    results: dict[str, list[Row]] = {}
    for title, (contest, column) in contests.items():
        print(f"\n{title}", flush=True)
        with contenders(contest, column, quick=quick) as ready:
            results[contest.__name__] = compete(ready, rounds)
        print(*results[contest.__name__], sep="\n", flush=True)
    return results
