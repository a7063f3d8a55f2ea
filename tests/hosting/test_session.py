"""A session with real shells, as a host uses it: the same in threads and on an event loop."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gapless import NotSeen, Runtime, SessionView
from gapless.actors.hosting.processes import Processes
from gapless.actors.runtime import AskGone, TimedOut
from gapless.actors.shells import ProcessTable
from gapless.messages.answers import Fault, Ignored
from gapless.messages.inputs import ContinuationTaken, NotificationDiscarded
from gapless.typings.close import Closable, Held, Permitted, StalePermit
from gapless.typings.evidence import Source
from gapless.typings.ids import ManagedId, SessionId
from gapless.typings.outcome import Failure
from gapless.typings.phases import HowEnded, TaskEnded
from gapless.typings.reading import read
from gapless.typings.shells import NoSuchShell
from gapless.typings.spawning import CommandNotFound
from gapless.typings.states import EndCause
from tests.hosting.kit import ENDED, Story, come, error, queued, until, value
from tests.runtime.kit import PATIENCE_S
from tests.support.words import HELD_BY_SHELLS, prompt

Tell = Callable[[Story], None]


def test_a_shell_runs_on_behind_a_lead_that_is_done(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.call(prompt()))
        await value(session.spawn_shell("sleep", "600"))
        await value(session.call(ENDED))
        reading = read(session.view)
        assert (reading.state, reading.lingering, reading.close) == ("done", ("shells",), "held")
        assert reading.holds == HELD_BY_SHELLS

    tell(story)


def test_its_result_is_carried_back_and_then_it_may_be_closed(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.call(prompt()))
        shell = await value(session.spawn_shell("sh", "-c", "echo it works; exit 3"))
        await value(session.call(ENDED))
        await until(session, lambda view: bool(queued(view)))
        refused = await value(session.ask_close())
        assert isinstance(refused, Held)
        await value(session.call(ContinuationTaken(keys=(shell,))))
        await value(session.call(ENDED))
        answer = await value(session.ask_close())
        assert isinstance(answer, Permitted)
        ended = await value(session.close(answer.permit))
        assert ended.cause is EndCause.CLOSED
        await until_gone(session.id, runtime)

    tell(story)


async def until_gone(name: str, runtime: Runtime) -> None:
    """Wait until a closed session's actors have ended: they do so in their turn."""
    for session in runtime.sessions:
        if session.id == name:
            assert isinstance(await error(session.until(lambda _: False)), AskGone)
    assert runtime.open(name).view.upto == 0


def test_a_command_that_does_not_exist_says_so_and_holds_nothing(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        why = await error(session.spawn_shell("no-such-command"))
        assert why == CommandNotFound(command="no-such-command")
        assert read(session.view).holds == ()

    tell(story)


def test_its_output_is_read_while_it_runs_and_after(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        shell = await value(session.spawn_shell("sh", "-c", "echo $GREETING", cwd="/", env=HELLO))
        await until(session, lambda view: bool(queued(view)))
        assert session.read_shell(shell).unwrap().text == "hello ß\n"
        assert session.read_shell(shell, offset=6).unwrap().text == "ß\n"
        assert session.tail_shell(shell, most_bytes=4).unwrap().text == " ß\n"
        record = session.shell_record(shell)
        assert record is not None
        assert (record.argv[0], record.gone, record.code) == ("sh", True, 0)

    tell(story)


HELLO = {"GREETING": "hello ß"}


def test_a_shell_that_is_stopped_runs_until_its_process_is_gone(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        ignore = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
        shell = await value(session.spawn_shell(sys.executable, "-c", ignore))
        await value(session.stop_shell(shell))
        view = await until(session, lambda view: bool(queued(view)))
        (task,) = view.shells
        assert isinstance(task.phase, TaskEnded)
        assert task.phase.how is HowEnded.FAILED
        assert task.phase.by.source is Source.PROCESS

    tell(story)


def test_a_shell_of_nobody_is_not_stopped(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        shell = ManagedId(incarnation=1, counter=7)
        session = runtime.open("s")
        assert await error(session.stop_shell(shell)) == NoSuchShell(shell=shell)
        assert session.read_shell(shell) == Failure(NoSuchShell(shell=shell))
        assert session.shell_record(shell) is None

    tell(story)


def test_a_shell_killed_from_outside_owes_its_notification(tell: Tell, tmp_path: Path) -> None:
    said = tmp_path / "said"
    os.mkfifo(said)

    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        script = 'echo $$ > "$0"; exec sleep 600'
        shell = await value(session.spawn_shell("sh", "-c", script, str(said)))
        os.kill(int(said.read_text()), signal.SIGKILL)
        assert queued(await until(session, lambda view: bool(queued(view)))) == (shell,)

    tell(story)


def test_what_the_host_discards_holds_no_more(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.call(ENDED))
        shell = await value(session.spawn_shell("true"))
        await until(session, lambda view: bool(queued(view)))
        await value(session.call(NotificationDiscarded(key=shell, cause="nobody asked")))
        assert isinstance(session.view.close, Closable)

    tell(story)


def test_every_claim_says_what_it_rests_on(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.call(prompt()))
        claims = session.why()
        assert claims
        assert all(claim.because for claim in claims)

    tell(story)


def test_waiting_for_what_never_comes_ends(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        outcomes: list[object] = [
            await error(session.until(lambda _: False, timeout_s=0.01)),
            await error(session.until(lambda view: view.upto / 0 > 1)),
        ]
        assert outcomes[0] == TimedOut(seconds=0.01)
        assert isinstance(outcomes[1], Fault)
        waiting = session.until(lambda _: False)
        await value(session.force_close("over"))
        gone: NotSeen = AskGone()
        assert await error(waiting) == gone

    tell(story)


def test_what_is_forced_closed_ends_its_shells(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        shell = await value(session.spawn_shell("sh", "-c", "echo $$; exec sleep 600"))
        await value(session.force_close("the user said so"))
        assert await error(session.spawn_shell("true")) == AskGone()
        record = session.shell_record(shell)
        assert record is not None

    tell(story)


def test_a_name_is_taken_while_its_session_is_open(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        with pytest.raises(ValueError, match="'s'"):
            runtime.open("s")
        assert list(runtime.sessions) == [session]
        await come(session.force_close("over"))
        await come(session.until(lambda _: False))
        assert not runtime.sessions
        runtime.open("s")

    tell(story)


def test_after_leaving_nothing_goes_on(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.spawn_shell("sleep", "600"))
        if in_a_loop():
            await asyncio.to_thread(runtime.stop)
        else:
            runtime.stop()
        assert len(queued(session.view)) == 1, "its end is in the last view"
        with pytest.raises(RuntimeError, match="left"):
            runtime.open("other")
        assert await error(session.call(prompt())) == AskGone()

    tell(story)


def in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def test_on_a_loop_a_runtime_is_left_without_blocking_it() -> None:
    async def enter() -> None:
        runtime = Runtime.start()
        with pytest.raises(RuntimeError, match="async with"):
            runtime.__enter__()
        async with runtime:
            pass

    asyncio.run(enter())


def test_a_runtime_may_be_awaited_from_a_loop_it_does_not_run_on() -> None:
    runtime = Runtime.start()

    async def use() -> None:
        async with asyncio.timeout(PATIENCE_S), runtime:
            session = runtime.open("s")
            shell = (await session.spawn_shell("true")).unwrap()
            view = (await session.until(lambda view: bool(queued(view)))).unwrap()
            assert queued(view) == (shell,)

    asyncio.run(use())


def test_output_that_nobody_has_heard_of_is_not_forgotten() -> None:
    def remember_one(session: SessionId) -> Processes:
        return table.of(session, remembered=1)

    table = ProcessTable()
    with Runtime.start(processes=remember_one) as runtime:
        session = runtime.open("s")
        started = [session.spawn_shell("echo", str(it)) for it in range(5)]
        shells = [it.wait().unwrap() for it in started]
        session.until(lambda view: len(queued(view)) == 5, PATIENCE_S).wait().unwrap()
        texts = {session.read_shell(it).unwrap().text for it in shells}
        assert texts == {f"{it}\n" for it in range(5)}
        for it in shells:
            session.call(NotificationDiscarded(key=it, cause="read")).wait().unwrap()
        for _ in range(2):  # the end of the second is told after the first has been seen to
            last = session.spawn_shell("true").wait().unwrap()
            session.until(lambda view: last in queued(view), PATIENCE_S).wait().unwrap()  # noqa: B023
        assert [session.shell_record(it) for it in shells] == [None] * 5
    table.leave("stop")


def test_a_permit_is_stale_once_what_it_ignores_began_after_it(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        await value(session.call(ENDED))
        ignoring = (("shell", "background-shells"),)
        answer = await value(session.ask_close(ignoring=ignoring))
        assert isinstance(answer, Permitted)
        await value(session.spawn_shell("sleep", "600"))
        assert isinstance(await error(session.close(answer.permit)), StalePermit)
        again = await value(session.ask_close(ignoring=ignoring))
        assert isinstance(again, Permitted)
        await value(session.close(again.permit))

    tell(story)


def test_to_stop_what_has_ended_changes_nothing(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")
        shell = await value(session.spawn_shell("true"))
        await until(session, lambda view: bool(queued(view)))
        stopped = await value(session.stop_shell(shell))
        assert stopped.answers == (Ignored(reason="that shell has ended"),)

    tell(story)


def test_a_predicate_may_raise_anything(tell: Tell) -> None:
    async def story(runtime: Runtime) -> None:
        session = runtime.open("s")

        def exits(view: SessionView) -> bool:
            if view.upto:
                raise SystemExit(3)
            return False

        waiting = session.until(exits, math.inf)
        await value(session.call(prompt()))
        assert await error(waiting) == Fault(reason="SystemExit(3)")
        with pytest.raises(ValueError, match="a number"):
            _ = session.until(lambda _: True, math.nan)

    tell(story)
