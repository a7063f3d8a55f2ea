"""What does a managed shell cost beside a bare process? ``python -m bench.shells NAME COUNT``.

Bare processes are started as a shell is: nothing to read, a log and a session each. Their owner
knows only of what it waits for itself; with ours the hold, the end and the notification are in a
view that any thread can read. What runs at the same time is weighed in a process of its own, which
is what the arguments are for; ``--trace`` is as in ``bench.idle``.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from io import FileIO
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, json

from bench.idle import resident
from bench.rounds import Contender, compete
from bench.runtime import alone
from gapless.actors.hosting import Pending, Runtime, Session
from gapless.messages.inputs import EffectDone, PromptSubmitted, ShellExited, SpawnAsked, Spawned
from gapless.messages.recorded import Recorded
from gapless.typings.evidence import Source
from gapless.typings.phases import Queued, TaskEnded
from gapless.typings.view import SessionView

Value = TypeVar("Value")
Error = TypeVar("Error")

SHELLS: Final = 2_000
SESSIONS: Final = 20
AT_A_TIME: Final = 20
"""How many processes asyncio has at a time; ours starts four at a time."""
LIVES: Final = 1_000
RUNNING: Final = 500
CALLS: Final = 200
PATIENCE_S: Final = 600.0
REST_S: Final = 0.005
"""How long a process is let be before it is killed, so that both are at rest by then."""
SLEEP: Final = ("sleep", "120")
"""Runs until it is killed; should this program be killed first, it ends by itself."""


class Times(NamedTuple):
    """How many seconds each step of one life took: from the call on, and from the end on."""

    starts: dict[str, float]
    ends: dict[str, float]


class Weight(Struct, frozen=True, kw_only=True):
    """What one process measured: bytes and descriptors a shell, and threads for all of them."""

    resident: float
    traced: float
    descriptors: float
    threads: int


Life: TypeAlias = Callable[[], Coroutine[None, None, Times]]
"""Starts a process, kills it, and returns how long it took to hear of each."""

Table: TypeAlias = dict[str, list[float]]


class Bare:
    """Starts processes the way ours are, and nothing more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def _log(self) -> FileIO:
        return (self._folder / str(next(self._numbers))).open("xb", buffering=0)

    def popen(self, *argv: str) -> subprocess.Popen[bytes]:
        """Start one."""
        with self._log() as log:
            return subprocess.Popen(  # noqa: S603 - one of the programs named here
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    async def task(self, *argv: str) -> asyncio.subprocess.Process:
        """Start one on this event loop."""
        with self._log() as log:
            return await asyncio.create_subprocess_exec(
                *argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


@contextmanager
def bare() -> Generator[Bare, None, None]:
    """Have a folder for their logs, as our runtime has one."""
    with TemporaryDirectory() as folder:
        yield Bare(Path(folder))


async def popen_life(processes: Bare) -> Times:
    """Live by ``Popen``, which keeps the loop waiting."""
    called = time.perf_counter()
    process = processes.popen(*SLEEP)
    runs = time.perf_counter()
    await asyncio.sleep(REST_S)
    killed = time.perf_counter()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    heard = time.perf_counter()
    return Times({"Popen returns": runs - called}, {"Popen.wait returns": heard - killed})


async def task_life(processes: Bare) -> Times:
    """Live on the event loop."""
    called = time.perf_counter()
    process = await processes.task(*SLEEP)
    runs = time.perf_counter()
    await asyncio.sleep(REST_S)
    killed = time.perf_counter()
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    heard = time.perf_counter()
    return Times({"asyncio, runs, awaited": runs - called}, {"asyncio, awaited": heard - killed})


async def our_life(runtime: Runtime, names: count[int], name: str, *, blocks: bool) -> Times:
    """Live as the one shell of a session, whose host is a thread that blocks or this loop."""
    session, seen = runtime.open(str(next(names))), Seen()
    session.on_view(seen.note)
    called = time.perf_counter()
    await come(session.spawn_shell(*SLEEP), blocks=blocks)
    runs = time.perf_counter()
    ended = session.until(lambda view: ended_in(view) == 1)
    await asyncio.sleep(REST_S)
    killed = time.perf_counter()
    os.kill(seen.pid, signal.SIGKILL)
    await come(ended, blocks=blocks)
    heard = time.perf_counter()
    await come(session.force_close("measured"), blocks=blocks)
    held_s, ended_s = seen.at[SpawnAsked] - called, seen.at[ShellExited] - killed
    return Times(
        {f"{name}, held in the view": held_s, f"{name}, runs, awaited": runs - called},
        {f"{name}, in the view": ended_s, f"{name}, awaited": heard - killed},
    )


async def come(pending: Pending[Value, Error], *, blocks: bool) -> Value:
    """Return what was to come."""
    return (pending.wait() if blocks else await pending).unwrap()


class Seen:
    """When the view of a session first showed each kind of input, and which process runs."""

    def __init__(self) -> None:
        self.at: dict[type, float] = {}
        self.pid: int = 0

    def note(self, row: Recorded, _view: SessionView) -> None:
        """Note it; the session has that view by now."""
        self.at.setdefault(type(row.what), time.perf_counter())
        match row.what:
            case EffectDone(outcome=Spawned(process=process)):
                self.pid = process.pid
            case _:
                pass


def ended_in(view: SessionView) -> int:
    """Return how many shells a view shows ended, with a notification that waits for a turn."""
    return sum(
        isinstance(it.phase, TaskEnded) and isinstance(it.notification, Queued)
        for it in view.shells
    )


async def measured(lives: int, threaded: Runtime, processes: Bare) -> tuple[Table, Table]:
    """Let one of each live in turn; return how soon the starts and the ends were heard of."""
    tables, names = (Table(), Table()), count(1)
    async with Runtime.start() as looped:
        contenders: list[Life] = [
            partial(popen_life, processes),
            partial(task_life, processes),
            partial(our_life, threaded, names, "ours", blocks=True),
            partial(our_life, looped, names, "ours on asyncio", blocks=False),
        ]
        for live in contenders:
            await live()  # to warm up
        gc.collect()
        gc.freeze()
        for live in contenders * lives:
            for table, step in zip(tables, await live(), strict=True):
                for name, seconds in step.items():
                    table.setdefault(name, []).append(seconds)
        gc.unfreeze()
    return tables


def compare_lives(lives: int) -> None:
    """Print how soon the starts and the ends of processes are heard of, one at a time."""
    with Runtime.start() as threaded, bare() as processes:
        starts, ends = asyncio.run(measured(lives, threaded, processes))
    print(f"\nfrom the call that starts a process on, {lives:,} times", *lines(starts), sep="\n")
    print("\nfrom the SIGKILL that ends it on", *lines(ends), sep="\n", flush=True)


def lines(table: Table) -> list[str]:
    """Return the lines of a table of durations."""
    first = median(next(iter(table.values())))
    return [
        f"  {name:<34} p50 {median(taken) * 1e6:>8,.0f} us,"
        f" p99 {quantiles(taken, n=100)[98] * 1e6:>8,.0f} us {median(taken) / first:6.2f}x"
        for name, taken in table.items()
    ]


def popens(shells: int) -> int:
    """Start one after the other."""
    with bare() as processes:
        for _ in range(shells):
            processes.popen("true").wait()
    return shells


def tasks(shells: int) -> int:
    """Start some at a time on an event loop."""

    async def one(processes: Bare, places: asyncio.Semaphore) -> None:
        async with places:
            await (await processes.task("true")).wait()

    async def every(processes: Bare) -> None:
        places = asyncio.Semaphore(AT_A_TIME)
        await asyncio.gather(*(one(processes, places) for _ in range(shells)))

    with bare() as processes:
        asyncio.run(every(processes))
    return shells


def ours(each: int, sessions: int) -> int:
    """Start all at once, so many in each session, and wait until every end is in a view."""
    done = threading.Semaphore(0)
    with Runtime.start() as runtime:
        opened = [runtime.open(str(number)) for number in range(sessions)]
        for session in opened:
            session.on_view(partial(count_down, count(each - 1, -1), done))
        for session in opened * each:
            _ = session.spawn_shell("true")
        for _ in opened:
            done.acquire(timeout=PATIENCE_S)
        ended = sum(ended_in(session.view) for session in opened)
    if ended != each * sessions:
        msg = f"the views show {ended} ends of {each * sessions}"
        raise RuntimeError(msg)
    return ended


def count_down(left: count[int], done: threading.Semaphore, row: Recorded, _: SessionView) -> None:
    """Say so when the last end that a session waits for is in its view."""
    if isinstance(row.what, ShellExited) and not next(left):
        done.release()


@contextmanager
def running_popens(shells: int) -> Generator[None, None, None]:
    """Let so many processes run."""
    with bare() as processes, ExitStack() as stack:
        for _ in range(shells):
            process = stack.enter_context(processes.popen(*SLEEP))
            stack.callback(process.kill)
        yield


@contextmanager
def running_tasks(shells: int) -> Generator[None, None, None]:
    """Let so many processes run, known to an event loop."""
    with bare() as processes, asyncio.Runner() as runner, ExitStack() as stack:

        def end(process: asyncio.subprocess.Process) -> None:
            process.kill()
            runner.run(process.wait())

        for _ in range(shells):
            stack.callback(end, runner.run(processes.task(*SLEEP)))
        yield


@contextmanager
def running_ours(shells: int) -> Generator[Session, None, None]:
    """Let so many shells of one session run."""
    with Runtime.start() as runtime:
        session = runtime.open("weighed")
        for pending in [session.spawn_shell(*SLEEP) for _ in range(shells)]:
            pending.wait(PATIENCE_S).unwrap()
        yield session


HOLDERS: Final[dict[str, Callable[[int], AbstractContextManager[object]]]] = {
    "Popen": running_popens,
    "asyncio": running_tasks,
    "ours": running_ours,
}


def entries(folder: str) -> int:
    """Return how many entries this process has in a folder of ``/proc/self``."""
    return sum(1 for _ in Path("/proc/self", folder).iterdir())


def weigh(name: str, shells: int) -> Weight:
    """Let so many run, and weigh them."""
    gc.collect()
    rss, traced = resident(), tracemalloc.get_traced_memory()[0]
    descriptors, threads = entries("fd"), entries("task")
    with HOLDERS[name](shells):
        gc.collect()
        return Weight(
            resident=(resident() - rss) / shells,
            traced=(tracemalloc.get_traced_memory()[0] - traced) / shells,
            descriptors=(entries("fd") - descriptors) / shells,
            threads=entries("task") - threads,
        )


def compare_weights(shells: int) -> None:
    """Print what one weighs that runs."""
    print(f"\nbytes and descriptors of one that runs, threads of all; {shells:,} run", flush=True)
    for name in HOLDERS:
        plain = alone("shells", Weight, name, shells)
        traced = alone("shells", Weight, name, shells, "--trace").traced
        memory = f"{traced:8,.0f} B traced, {plain.resident:8,.0f} B resident"
        others = f"{plain.descriptors:5.2f} descriptors, {plain.threads:>4,} threads"
        print(f"  {name:<34} {memory}, {others}", flush=True)


def input_us(shells: int) -> float:
    """Return the median of what an input takes to its view while so many shells run."""
    times: list[float] = []
    with running_ours(shells) as session:
        for _ in range(CALLS):
            start = time.perf_counter()
            session.call(PromptSubmitted(), Source.HOOK).wait(PATIENCE_S).unwrap()
            times.append((time.perf_counter() - start) * 1e6)
    return median(times)


def main(rounds: int, *, quick: bool) -> None:
    """Print the tables."""
    shells, running = (SHELLS // 10, RUNNING // 10) if quick else (SHELLS, RUNNING)
    each = shells // SESSIONS
    print(f"\nshells: {shells:,} of `true`; {rounds} rounds, ratio to the first", flush=True)
    contenders: dict[str, Contender] = {
        "Popen and wait, one by one": partial(popens, shells),
        f"asyncio, {AT_A_TIME} at a time": partial(tasks, shells),
        f"ours, one session of {each:,}": partial(ours, each, 1),
        f"ours, {SESSIONS} sessions of {each:,}": partial(ours, each, SESSIONS),
    }
    print(*compete(contenders, rounds), sep="\n", flush=True)
    # Seldom: what a view costs grows with what is in it, so this is by far the slowest.
    in_one: dict[str, Contender] = {
        "Popen again": partial(popens, shells),
        f"ours, one session of {shells:,}": partial(ours, shells, 1),
    }
    print(*compete(in_one, max(1, rounds // 7)), sep="\n", flush=True)
    compare_lives(LIVES // 10 if quick else LIVES)
    compare_weights(running)
    p50s = ", ".join(f"{input_us(some):,.0f} us while {some:,} run" for some in (1, running))
    print(f"  ours, from an input to its view, p50: {p50s}", flush=True)


if __name__ == "__main__":
    chosen, number, *trace = sys.argv[1:]
    if trace:
        tracemalloc.start()
    print(json.encode(weigh(chosen, int(number))).decode(), flush=True)
