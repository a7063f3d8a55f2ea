"""What does a host make of sessions? ``python -m bench.shape HOST SESSIONS EVENTS`` (one process).

A session is five actors: an event makes its lead ask four peers, twice over, 17 messages in all.
A burst is an event to every session at once. A quiet event has the whole host to itself, while all
the other sessions are alive; it is timed once more after ``gc.freeze()``, which is what a host
of long-lived actors ought to call, so that full collections do not walk over all of them.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from functools import partial
from statistics import median, quantiles
from typing import Final

from msgspec import Struct, json

from bench.hosts import HOSTS, Host, Post, Work

PEERS: Final = 4
ROUNDS: Final = 2
MESSAGES: Final = 1 + ROUNDS * 2 * PEERS
STRIDE: Final = 7_919
EVENT: Final = 0
REPLY: Final = 1


class Latency(Struct, frozen=True, kw_only=True):
    """How long something took, in microseconds."""

    p50_us: float
    p99_us: float


class Shape(Struct, frozen=True, kw_only=True):
    """What one process measured of one host."""

    created_a_second: float
    rate: float
    cpu_us: float
    session: Latency
    quiet: Latency
    frozen: Latency


class Lead:
    """Asks its peers, waits for all of them, asks once more, and notes when it is done."""

    def __init__(self, done: Work) -> None:
        self.peers: list[Post] = []
        self._done = done
        self._waiting: int = 0
        self._rounds: int = 0

    def handle(self, message: int) -> None:
        """Go on with the event."""
        if message == EVENT:
            self._rounds = ROUNDS
        else:
            self._waiting -= 1
            if self._waiting:
                return
            self._rounds -= 1
            if not self._rounds:
                self._done()
                return
        self._waiting = PEERS
        for send in self.peers:
            send(EVENT)


class Tally:
    """Knows how many sessions are still busy, and when each of the others was done."""

    def __init__(self, finish: Work) -> None:
        self._finish = finish
        self.busy: int = 1
        self.times: list[float] = []

    def done(self) -> None:
        """Hear that a session is done with its event."""
        self.times.append(time.perf_counter())
        self.busy -= 1
        if not self.busy:
            self._finish()


def latency(seconds: list[float]) -> Latency:
    """Sum up some durations."""
    return Latency(p50_us=median(seconds) * 1e6, p99_us=quantiles(seconds, n=100)[98] * 1e6)


def session(host: Host, tally: Tally) -> Post:
    """Let one session live, and return where its events go."""
    lead = Lead(tally.done)
    place = host.spawn(lead.handle)
    lead.peers = [host.spawn(partial(reply, place.send)).send for _ in range(PEERS)]
    return place.post


def reply(send: Post, _message: int) -> None:
    """Answer the lead: all that a peer does."""
    send(REPLY)


def burst(leads: list[Post]) -> None:
    """Send an event to every session."""
    for post in leads:
        post(EVENT)


def quiet(host: Host, tally: Tally, leads: list[Post], events: int) -> Latency:
    """Time one event at a time, each in another session."""

    def event(number: int) -> None:
        tally.busy = 1
        leads[number * STRIDE % len(leads)](EVENT)

    return latency(host.time_each(partial(event, number) for number in range(events)))


def measure(host: Host, sessions: int, events: int) -> Shape:
    """Create the sessions, burst, then go quiet."""
    tally = Tally(host.finish)
    start = time.perf_counter()
    leads = [session(host, tally) for _ in range(sessions)]
    created = sessions / (time.perf_counter() - start)
    quiet(host, tally, leads, 10)  # to warm up
    tally.busy = sessions
    tally.times.clear()
    start, started = time.perf_counter(), time.process_time()
    host.run([partial(burst, leads)])
    spent, worked = time.perf_counter() - start, time.process_time() - started
    lasted = latency([at - start for at in tally.times])
    thawed = quiet(host, tally, leads, events)
    gc.collect()
    gc.freeze()
    return Shape(
        created_a_second=created,
        rate=sessions * MESSAGES / spent,
        cpu_us=worked / (sessions * MESSAGES) * 1e6,
        session=lasted,
        quiet=thawed,
        frozen=quiet(host, tally, leads, events),
    )


def main() -> None:
    """Print what was measured, as JSON, and leave without waiting for thousands of threads."""
    name, sessions, events = sys.argv[1:]
    shape = measure(HOSTS[name](), int(sessions), int(events))
    print(json.encode(shape).decode(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
