"""Leaving a runtime, in the ways in which hosts leave: interrupted, forked, on a busy loop."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from weakref import ref

import pytest

from gapless import Runtime
from gapless.actors.hosting.changes import Changes
from gapless.actors.hosting.continuations import Continuations
from tests.runtime.kit import PATIENCE_S
from tests.shells.kit import is_running

FORKS = """
import os, sys
from gapless import Runtime
with Runtime.start() as runtime:
    session = runtime.open("s")
    shell = session.spawn_shell("sleep", "600").wait().unwrap()
    if (pid := os.fork()) == 0:
        sys.exit(0)  # leaves the block, in the child
    os.waitpid(pid, 0)
    record = session.shell_record(shell)
    print("runs" if record and not record.gone else record)
"""

INTERRUPTED = """
import signal, sys
from gapless import Runtime
with Runtime.start(grace_s=600.0) as runtime:
    session = runtime.open("s")
    script = "trap '' TERM; echo $$ > $0; while :; do sleep 1; done"
    session.spawn_shell("sh", "-c", script, sys.argv[1]).wait().unwrap()
    signal.pause()
"""


def host(script: str, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore", "-c", script, *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def test_a_forked_child_that_ends_leaves_everything_to_its_parent() -> None:
    with host(FORKS) as process:
        said, errors = process.communicate(timeout=PATIENCE_S)
    assert (said, errors) == ("runs\n", "")


def test_who_is_interrupted_while_leaving_leaves_no_shell_behind(tmp_path: Path) -> None:
    said = tmp_path / "said"
    os.mkfifo(said)
    with host(INTERRUPTED, str(said)) as process:
        shell = int(said.read_text())
        os.kill(process.pid, signal.SIGINT)
        asked = threading.Event()
        while process.poll() is None:  # the second one, or a later one, finds it leaving
            asked.wait(0.05)
            process.send_signal(signal.SIGINT)
        process.communicate()
    while is_running(shell):
        asked.wait(0.01)


def test_a_loop_whose_threads_all_wait_can_be_left() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with Runtime.start() as runtime:
            session = runtime.open("s")

            def follow() -> None:
                for _ in session.changes():
                    pass

            readers = [loop.run_in_executor(None, follow) for _ in range(64)]
        await asyncio.gather(*readers)

    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await story()

    asyncio.run(in_time())


def test_a_runtime_that_cannot_be_entered_is_not_left_behind() -> None:
    async def story() -> Runtime:
        runtime = Runtime.start()
        with pytest.raises(RuntimeError, match="async with"):
            runtime.__enter__()
        for thread in threading.enumerate():
            if thread.name == "gapless-stop":
                await asyncio.to_thread(thread.join)
        return runtime

    runtime = asyncio.run(story())
    with pytest.raises(RuntimeError, match="was left"):
        runtime.open("s")


def test_a_stream_that_nobody_holds_is_let_go_of_and_unsubscribed() -> None:
    unsubscribed = threading.Event()
    with Runtime.start() as runtime:
        session = runtime.open("s")
        makers: tuple[Callable[[], Changes | Continuations], ...] = (
            session.changes,
            session.continuations,
        )
        for make in makers:
            stream = make()
            stream.subscribed(unsubscribed.set)
            held = ref(stream)
            del stream
            gc.collect()
            assert held() is None
            assert unsubscribed.is_set()
            unsubscribed.clear()
