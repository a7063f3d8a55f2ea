"""Run pykka's own test suite on every dispatcher.

Our actors say that they are pykka's actors; whoever wrote pykka says what that is. The suite comes
from the source distribution of the version that the lock pins, and by the hashes in the lock.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from _thread import get_ident
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest

from gapless.actors.runtime import (
    DispatchedActor,
    Dispatcher,
    HybridDispatcher,
    LoopDispatcher,
    Reply,
    SteppedDispatcher,
)

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "dev.txt"
FETCHED = ROOT / "build" / "pykka"
STOCK = "threading"
DISPATCHERS = ("hybrid", "loop", "stepped")


class Runtime(NamedTuple):
    """What the suite wants to know of a kind of actor."""

    name: str
    actor_class: type[DispatchedActor]
    event_class: type[threading.Event]
    future_class: type[Reply[object]]
    sleep_func: Callable[[float], None]


@contextmanager
def on_a_loop() -> Generator[Dispatcher, None, None]:
    """Run an event loop on a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield LoopDispatcher(loop)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@contextmanager
def steadily_stepped() -> Generator[Dispatcher, None, None]:
    """Step on a thread of its own."""
    dispatcher = SteppedDispatcher()
    over = threading.Event()

    def drive() -> None:
        dispatcher.driver = get_ident()
        while not over.wait(0.0005):
            dispatcher.run()

    thread = threading.Thread(target=drive)
    thread.start()
    yield dispatcher
    over.set()
    thread.join()


@contextmanager
def hybrid() -> Generator[Dispatcher, None, None]:
    """Let the dispatcher see to its threads itself."""
    yield HybridDispatcher()


@pytest.fixture(scope="session", params=DISPATCHERS)
def runtime(request: pytest.FixtureRequest) -> Iterator[Runtime]:
    """Take the place of the suite's fixture of this name."""
    kinds = {"hybrid": hybrid, "loop": on_a_loop, "stepped": steadily_stepped}
    with kinds[request.param]() as running:

        class Dispatched(DispatchedActor):
            dispatcher: ClassVar[Dispatcher | None] = running
            stops_the_world = True  # two tests of the suite insist

        yield Runtime(request.param, Dispatched, threading.Event, Reply, time.sleep)
        running.close()


def locked() -> str:
    """Quote what the lock says of the pykka that is installed."""
    pin = re.search(
        rf"^pykka=={re.escape(version('pykka'))}( \\\n +--hash=\S+)+",
        LOCK.read_text(),
        re.MULTILINE,
    )
    return pin[0] if pin else sys.exit(f"suite: {LOCK.name} pins another pykka than is installed")


def fetch(folder: Path) -> Path:
    """Answer the source distribution, fetched unless it is here already."""
    archive = FETCHED / f"pykka-{version('pykka')}.tar.gz"
    pin = locked()
    if not archive.exists() or hashlib.sha256(archive.read_bytes()).hexdigest() not in pin:
        wanted = folder / "wanted.txt"
        wanted.write_text(pin)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
        source = ["--no-binary", "pykka", "--no-deps", "--no-build-isolation"]
        files = ["--require-hashes", "--requirement", str(wanted), "--dest", str(FETCHED)]
        archive.unlink(missing_ok=True)
        subprocess.run([*pip, *source, *files], check=True)
    return archive


def unpack(archive: Path, folder: Path) -> None:
    """Put the suite into an empty folder."""
    with tarfile.open(archive) as packed:
        top = f"{archive.name.removesuffix('.tar.gz')}/tests/"
        for member in packed.getmembers():
            if member.name.startswith(top):
                member.name = f"tests/{member.name.removeprefix(top)}"
                packed.extract(member, folder, filter="data")


def pytest_says(folder: Path, *arguments: str) -> str:
    """Answer what pytest prints about the suite; it has to be content."""
    plugins = ("-p", "no:randomly", "-p", "no:cacheprovider", "--timeout=60")
    command = [sys.executable, "-m", "pytest", *plugins, *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        failures = re.sub(r"^PASSED .*\n", "", done.stdout, flags=re.MULTILINE)
        sys.exit(f"{failures}\nsuite: pykka's own tests failed")
    return done.stdout


def count(name: str, said: str) -> int:
    """Count the lines about tests that have ``name`` as a parameter."""
    return len(re.findall(rf"^(?:PASSED )?tests/.*\[(?:.*-)?{name}[-\]]", said, re.MULTILINE))


def main() -> None:
    """Fetch, count what there is for stock, run it on ours, and compare the numbers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(fetch(folder), folder)
        expected = count(STOCK, pytest_says(folder, "--collect-only", "-q"))

        shutil.copy(__file__, folder)
        with (folder / "tests" / "conftest.py").open("a") as conftest:
            conftest.write(f"\nfrom {Path(__file__).stem} import runtime\n")
        said = pytest_says(folder, "-q", "-rp")
    for dispatcher in DISPATCHERS:
        passed = count(dispatcher, said)
        print(f"suite: {passed} of pykka's {expected} tests passed on the {dispatcher} dispatcher")
        if passed < expected or not expected:
            sys.exit("suite: that is too few")


if __name__ == "__main__":
    main()
