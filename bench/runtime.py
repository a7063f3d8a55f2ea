"""How do our actors compare to pykka's own, to asyncio, to bare threads, and to a plain call?

Small contests run in this process, contenders in turn within each round. Whoever makes thousands
of threads or of actors does so in a process of its own, so that it disturbs nobody; those take
turns too. What we aim at is printed beside what is reached; nothing here fails for being slow.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple, TypeVar

from msgspec import json

from bench import asks, prices, traffic
from bench.hosts import HOSTS
from bench.idle import Idle
from bench.rounds import Row, spread
from bench.shape import MESSAGES, Latency, Shape

Measured = TypeVar("Measured")

STOCK: Final = "stock pykka"
BARE: Final = "ours, bare Mailbox.post"
TYPED: Final = "ours, Ref.tell"
FEW: Final = 1_000
MANY: Final = 20_000
MOST: Final = {STOCK: 1_000, "SimpleQueue and a thread": 200}
"""How many sessions are tried with a thread an actor: a burst in the next size takes stock
25,000 threads, and bare threads a minute."""
EVENTS: Final = 2_000
THREADED_EVENTS: Final = 300
SESSIONS: Final = {200: 2, 1_000: 3, 5_000: 4, 20_000: 7}
"""How many sessions there are, and which part of the rounds they are measured."""


class Aim(NamedTuple):
    """Something we aim at, and what was reached."""

    wanted: str
    reached: str

    def __str__(self) -> str:
        """Return a line of the list."""
        return f"  {self.wanted:<62} reached: {self.reached}"


def alone(module: str, kind: type[Measured], *arguments: object) -> Measured:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", f"bench.{module}", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
    return json.decode(done.stdout, type=kind)


def threaded(name: str) -> bool:
    """Whether that host makes a thread an actor."""
    return HOSTS[name].threads


def idle_line(name: str, count: int, times: Sequence[Idle], traced: float) -> str:
    """Return a line of the table."""
    rates = [one.created_a_second for one in times]
    weight = f"{traced:8,.0f} B traced, {median(one.resident for one in times):8,.0f} B resident"
    rate = f"{median(rates):>11,.0f} a second {spread(rates, ',.0f')}"
    return f"  {name:<26} {count:>6,}  {rate:<46} {weight}"


def compare_idle(rounds: int, *, quick: bool) -> dict[str, float]:
    """Print how fast actors are made and what they weigh idle; return the traced bytes of each."""
    print("\ncreation, and bytes an idle actor: traced by tracemalloc, and RSS", flush=True)
    sizes = {
        name: FEW // 10 if quick else FEW if threaded(name) else MANY
        for name in HOSTS
        if not HOSTS[name].nests
    }
    times: dict[str, list[Idle]] = {name: [] for name in sizes}
    for _ in range(max(1, rounds // 2)):
        for name, count in sizes.items():
            times[name].append(alone("idle", Idle, name, count))
    traced = {name: alone("idle", Idle, name, n, "--trace").traced for name, n in sizes.items()}
    for name, count in sizes.items():
        print(idle_line(name, count, times[name], traced[name]), flush=True)
    return traced


def middle(latencies: Sequence[Latency]) -> Latency:
    """Return the medians."""
    return Latency(
        p50_us=median(one.p50_us for one in latencies),
        p99_us=median(one.p99_us for one in latencies),
    )


def shape_line(name: str, shapes: Sequence[Shape], base: Sequence[Shape]) -> str:
    """Return a line of the table."""
    rates = [shape.rate for shape in shapes]
    ratios = [mine.rate / its.rate for mine, its in zip(shapes, base, strict=False)]
    ratio = f"{median(ratios):7.1f}x" if ratios else ""
    session = middle([shape.session for shape in shapes])
    quiet = middle([shape.quiet for shape in shapes])
    frozen = middle([shape.frozen for shape in shapes])
    rests = (quiet.p50_us, quiet.p99_us, frozen.p50_us, frozen.p99_us)
    return (
        f"  {name:<26} {median(rates):>9,.0f} {spread(rates, ',.0f'):<24} {ratio:>9}"
        f" {median(shape.cpu_us for shape in shapes):>9.2f}"
        f" {session.p50_us / 1e3:>9,.1f} {session.p99_us / 1e3:>9,.1f}"
        + "".join(f" {micros:>8,.0f}" for micros in rests)
    )


HEADINGS: Final = (
    f"  {'':<26} {'messages a second, in a burst':<34} {'to stock':>9} {'us CPU':>9}"
    f" {'burst p50':>9} {'p99 ms':>9} {'quiet50':>8} {'p99 us':>8} {'frozen50':>8} {'p99 us':>8}"
)


def compare_sessions(sessions: int, rounds: int, *, quick: bool) -> dict[str, list[Shape]]:
    """Print what each host makes of so many sessions."""
    names = [name for name in HOSTS if sessions <= MOST.get(name, sessions)]
    print(f"\n{sessions:,} sessions of 5 actors, {MESSAGES} messages an event, rounds: {rounds}")
    for name in sorted(set(HOSTS) - set(names)):
        print(f"  skipped: {name}, for {sessions * 5:,} threads are too many")
    print(HEADINGS, flush=True)
    shapes: dict[str, list[Shape]] = {name: [] for name in names}
    for number in range(rounds):
        for name in names:
            if number and name == STOCK and sessions == MOST[STOCK]:
                continue  # it takes half a minute
            events = THREADED_EVENTS if threaded(name) else EVENTS
            shapes[name].append(
                alone("shape", Shape, name, sessions, events // 10 if quick else events)
            )
    for name in names:
        print(shape_line(name, shapes[name], shapes.get(STOCK, [])), flush=True)
    return shapes


def ratio(rows: Sequence[Row], name: str) -> str:
    """Return how many times the first a contender is."""
    return next(f"{median(row.ratios):.1f}x" for row in rows if row.name == name)


def aims(
    rows: dict[str, list[Row]], weights: dict[str, float], shapes: dict[int, dict[str, list[Shape]]]
) -> list[Aim]:
    """Return what we aim at, beside what was reached."""
    some, most = (shapes[size] for size in (sorted(shapes)[1], max(shapes)))
    bursts = [mine.rate / its.rate for mine, its in zip(some[TYPED], some[STOCK], strict=False)]
    frozen = middle([shape.frozen for shape in most[TYPED]])
    found = [
        Aim(f"{name} at least {times}x stock, {contest}", ratio(rows[contest], name))
        for name, times in ((BARE, 12), (TYPED, 8))
        for contest in ("tell", "ring")
    ]
    shape = f"{TYPED}: the real shape at least 250x stock, 1,000 sessions"
    quiet = f"{TYPED}: quiet p99 under 1 ms, 20,000 sessions, gc.freeze()"
    return [
        *found,
        Aim(shape, f"{median(bursts):.0f}x at {sorted(shapes)[1]:,}"),
        Aim(
            "an idle actor at most 1,024 bytes",
            f"{weights[TYPED]:,.0f} (bare {weights[BARE]:,.0f})",
        ),
        Aim(quiet, f"{frozen.p99_us / 1e3:.2f} ms at {max(shapes):,}"),
    ]


def main(rounds: int, *, quick: bool = False) -> None:
    """Print all tables, then the aims."""
    print(f"\nruntime: {rounds} rounds, median (spread), ratio to {STOCK} in the same round")
    rows = traffic.compare(rounds, quick=quick)
    asks.compare(rounds, quick=quick)
    prices.compare(rounds, quick=quick)
    weights = compare_idle(rounds, quick=quick)
    shapes: dict[int, dict[str, list[Shape]]] = {}
    for sessions, part in SESSIONS.items():
        size = sessions // 40 if quick else sessions
        shapes[size] = compare_sessions(size, max(1, rounds // part), quick=quick)
    print("\naims")
    print(*aims(rows, weights, shapes), sep="\n", flush=True)
