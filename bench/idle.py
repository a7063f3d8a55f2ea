"""What does an idle actor weigh, how fast is it made? ``python -m bench.idle HOST COUNT``.

No user state: all actors share one handler that does nothing. They are made, and the last one
takes a message, so that all have begun. A third argument, ``--trace``, counts Python's own bytes
(tracemalloc) and makes everything slow, so time and resident memory (RSS, which sees the stacks
of threads) are measured without it.
"""

from __future__ import annotations

import gc
import os
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path

from msgspec import Struct, json

from bench.hosts import HOSTS, Host, Post


class Idle(Struct, frozen=True, kw_only=True):
    """What one process measured of one host."""

    created_a_second: float
    resident: float
    traced: float


def resident() -> int:
    """Return how many bytes of this process are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def spawn(host: Host, count: int) -> Post:
    """Let so many actors live, and return where the last one is."""

    def nothing(_message: int) -> None:
        pass

    def finish(_message: int) -> None:
        host.finish()

    for _ in range(count - 1):
        host.spawn(nothing)
    return host.spawn(finish).post


def measure(host: Host, count: int) -> Idle:
    """Create actors, and weigh them."""
    gc.collect()
    before, traced = resident(), tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    last = spawn(host, count)
    host.run([partial(last, 1)])
    spent = time.perf_counter() - start
    gc.collect()
    return Idle(
        created_a_second=count / spent,
        resident=(resident() - before) / count,
        traced=(tracemalloc.get_traced_memory()[0] - traced) / count,
    )


def main() -> None:
    """Print what was measured, as JSON, and leave without waiting for thousands of threads."""
    name, count, *trace = sys.argv[1:]
    host = HOSTS[name]()
    if trace:
        tracemalloc.start()
    print(json.encode(measure(host, int(count))).decode(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
