"""An interrupt of the thread that runs actors: no actor is lost, wherever it falls."""

from __future__ import annotations

import asyncio
import dis
import sys
import threading
from _thread import get_ident
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any, final

import pytest

from gapless.actors.runtime import (
    ActorSystem,
    HybridDispatcher,
    LoopDispatcher,
    ManualClock,
    Ref,
    SteppedDispatcher,
)
from gapless.actors.runtime.dispatch import LetGoError
from gapless.typings.outcome import Success
from tests.runtime.kit import PATIENCE_S, Do, Doer, Give, value_of


@final
class Interrupting:
    """Raises at the given one of the points where the interpreter looks for an interrupt.

    It looks where a function begins, after a call of one that is written in C, and where it jumps
    backward; nowhere else. Only the files named are counted.
    """

    def __init__(self, files: tuple[str, ...], at: int) -> None:
        self._files = files
        self._left = at
        self._last: dict[FrameType, str] = {}
        self._names: dict[CodeType, dict[int, str]] = {}
        self.raised = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401
        del argument
        if not frame.f_code.co_filename.endswith(self._files):
            if frame.f_back is not None:
                self._last.pop(frame.f_back, None)  # it called Python: no look when that returns
            return None
        frame.f_trace_opcodes = True
        if event == "call":
            self._last[frame] = "RESUME"
            if frame.f_back is not None:
                self._last.pop(frame.f_back, None)
        if event == "opcode":
            before = self._last.get(frame, "")
            self._last[frame] = self._name(frame)
            if before.startswith(("CALL", "RESUME")) or "JUMP_BACKWARD" in before:
                self._look()
        return self

    def let_go(self) -> None:
        """Keep no frame, and so nothing that was dropped."""
        self._last.clear()

    def _name(self, frame: FrameType) -> str:
        code = frame.f_code
        if code not in self._names:
            self._names[code] = {it.offset: it.opname for it in dis.get_instructions(code)}
        return self._names[code].get(frame.f_lasti, "")

    def _look(self) -> None:
        self._left -= 1
        if self._left == 0 and not self.raised:
            self.raised = True
            raise KeyboardInterrupt


@contextmanager
def interrupted(files: tuple[str, ...], at: int) -> Generator[Interrupting, None, None]:
    interrupting = Interrupting(files, at)
    before = sys.gettrace()
    sys.settrace(interrupting)
    try:
        with suppress(KeyboardInterrupt):
            yield interrupting
    finally:
        sys.settrace(before)
        interrupting.let_go()


as_in_3_11 = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the points are those at which CPython 3.11 looks"
)


def wherever(one: Callable[[int], bool]) -> int:
    """Do it with an interrupt at each point in turn; return how many there were."""
    at = 1
    while one(at):
        at += 1
    return at - 1


@as_in_3_11
def test_a_stepped_actor_goes_on_wherever_its_driver_was_interrupted() -> None:
    files = ("runtime/stepped.py", "runtime/mailbox.py")

    def one(at: int) -> bool:
        dispatcher = SteppedDispatcher()
        system = ActorSystem(dispatcher, ManualClock())
        refs = [system.spawn(Doer) for _ in range(2)]
        dispatcher.run()
        done: list[int] = []
        for ref in refs:
            ref.tell(Do(lambda: done.append(1)))
        with interrupted(files, at) as interrupting:
            dispatcher.run()
        dispatcher.run()
        for ref in refs:  # an interrupt inside a turn may have ended one; it is not lost
            ref.tell(Do(lambda: done.append(1)))
            dispatcher.run()
            assert ref.mailbox.empty()
        assert dispatcher.ready == ()
        assert system.stop()
        return interrupting.raised

    assert wherever(one) > 20


@as_in_3_11
def test_actors_on_a_loop_go_on_wherever_it_was_interrupted() -> None:
    files = ("runtime/loop.py", "runtime/mailbox.py")

    def one(at: int) -> bool:
        loop = asyncio.new_event_loop()
        system = ActorSystem(LoopDispatcher(loop), ManualClock())
        refs = [system.spawn(Doer) for _ in range(2)]

        async def tell_and_pass() -> None:
            for ref in refs:
                ref.tell(Do(str))
            for _ in range(4):
                await asyncio.sleep(0)

        async def ask(ref: Ref[Do, Give]) -> bool:
            answer = await ref.ask_async(Give(), timeout_s=PATIENCE_S)
            return isinstance(answer, Success) or ref.mailbox.closed

        loop.run_until_complete(tell_and_pass())
        for ref in refs:
            ref.tell(Do(str))
        with interrupted(files, at) as interrupting:
            loop.run_until_complete(asyncio.sleep(0))
            loop.run_until_complete(asyncio.sleep(0))
        for ref in refs:
            assert loop.run_until_complete(ask(ref))
        system.dispatcher.close()
        loop.close()
        return interrupting.raised

    assert wherever(one) > 20


def test_a_callback_that_an_interrupt_dropped_is_scheduled_again() -> None:
    scheduled: list[Callable[[], object]] = []

    class Losing(asyncio.SelectorEventLoop):
        def call_soon_threadsafe(
            self, callback: Callable[..., object], *args: object, **_: object
        ) -> asyncio.Handle:
            scheduled.append(callback)
            del args
            return super().call_soon(lambda: None)

    loop = Losing()
    system = ActorSystem(LoopDispatcher(loop), ManualClock())
    done: list[int] = []
    system.spawn(Doer).tell(Do(lambda: done.append(1)))
    assert len(scheduled) == 1
    scheduled.clear()  # as an interrupt does between taking a callback and calling it
    (callback,) = scheduled
    callback()
    assert done == [1]
    loop.close()


class Faulty:
    """A mailbox out of which something comes, once."""

    def __init__(self, error: BaseException) -> None:
        self._errors = [error]
        self.turns = 0
        self.over = threading.Event()

    def run(self, limit: int) -> bool:
        del limit
        self.turns += 1
        if self._errors:
            raise self._errors.pop()
        self.over.set()
        return False

    def abandon(self) -> None: ...


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError(), SystemExit()])
def test_what_escapes_from_a_mailbox_does_not_end_the_worker(error: BaseException) -> None:
    dispatcher = HybridDispatcher()
    faulty = Faulty(error)
    dispatcher.submit(faulty)
    assert faulty.over.wait(PATIENCE_S)
    system = ActorSystem(dispatcher, ManualClock())
    ref = system.spawn(Doer)
    assert value_of(ref.ask(Give(get_ident), timeout_s=PATIENCE_S)) != get_ident()
    assert system.stop()
    assert faulty.turns == 2


def test_one_that_says_it_was_let_go_of_is_not_scheduled_again() -> None:
    dispatcher = SteppedDispatcher()
    faulty = Faulty(LetGoError(KeyboardInterrupt()))
    dispatcher.submit(faulty)
    with pytest.raises(KeyboardInterrupt):
        dispatcher.step()
    assert dispatcher.ready == ()
