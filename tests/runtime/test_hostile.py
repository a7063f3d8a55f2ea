"""Objects of users that raise where nobody expects it: each costs its own actor alone."""

from __future__ import annotations

import logging
import math
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import cast

import pykka
import pytest

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    CommandActor,
    Death,
    Faulted,
    HybridDispatcher,
    ManualClock,
    Next,
    Outgoing,
    StepActor,
    SteppedDispatcher,
)
from gapless.actors.runtime.flags import StopFlag
from gapless.actors.runtime.futures import Reply
from gapless.actors.runtime.locks import shared_lock
from gapless.actors.runtime.logs import logged
from gapless.actors.runtime.timers import Timers, TimerThread
from gapless.typings.outcome import Failure, Success
from tests.runtime.kit import (
    PATIENCE_S,
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    letters_of,
    raising,
)


class Key:
    """A key whose hash changes, or raises."""

    def __init__(self) -> None:
        self.hashed: Callable[[], int] = lambda: 1

    def __hash__(self) -> int:
        return self.hashed()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key)


BROKEN = [
    pytest.param(lambda: 2, id="changed"),
    pytest.param(raising(MemoryError()), id="raising"),
    pytest.param(raising(Halt()), id="halting"),
]


@pytest.mark.parametrize("hashed", BROKEN)
def test_a_key_that_breaks_after_it_was_set_keeps_no_timer_from_ringing(
    host: Host, hashed: Callable[[], int]
) -> None:
    system, log, key = host.system(), list[str](), Key()
    one, other = Doer(), Doer()
    refs = [system.spawn(lambda: one), system.spawn(lambda: other)]
    for ref in refs:
        caught_up(ref)
    one.set_timer(key, 1, Do(lambda: log.append("one")))
    other.set_timer("k", 2, Do(lambda: log.append("other")))
    key.hashed = hashed
    host.clock.advance(2)
    assert system.timers.fire_due() == 2
    for ref in refs:
        caught_up(ref)
    assert sorted(log) == ["one", "other"]


@pytest.mark.parametrize("hashed", BROKEN)
def test_an_actor_ends_though_a_key_of_its_timers_broke(
    host: Host, hashed: Callable[[], int]
) -> None:
    system, key, ended = host.system(), Key(), threading.Event()
    actor = Doer()
    ref = system.spawn(lambda: actor)
    ref.when_ended(ended.set)
    caught_up(ref)
    actor.set_timer(key, 60_000, Do(str))
    key.hashed = hashed
    actor.stop()
    assert host.until(ended)
    assert system.alive == 0
    host.clock.advance(60_000)
    assert system.timers.fire_due() == 0


class Unsteady:
    """A clock that raises when it is told to."""

    def __init__(self) -> None:
        self.raises = threading.Event()
        self.raised = threading.Event()
        self.ms = 0

    def now_ms(self) -> int:
        if self.raises.is_set() and threading.current_thread().name == "gapless-timers":
            self.raises.clear()
            self.raised.set()
            raise Halt
        return self.ms


def test_a_clock_that_raises_once_does_not_end_the_timers() -> None:
    clock = Unsteady()
    timers = Timers(clock)
    thread, fired = TimerThread(timers, clock), threading.Event()
    clock.raises.set()
    timers.set("first", 60_000, str)
    assert clock.raised.wait(PATIENCE_S)
    timers.set("second", 0, fired.set)
    assert fired.wait(PATIENCE_S)
    thread.close()


class Never(logging.Filter):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def filter(self, record: logging.LogRecord) -> bool:
        del record
        raise self._error


class NotedError(Exception):
    def __getattribute__(self, name: str) -> object:
        if name == "__notes__":
            raise KeyboardInterrupt
        return super().__getattribute__(name)


@pytest.mark.parametrize("error", [ValueError(), KeyboardInterrupt(), Halt()])
def test_a_log_that_raises_harms_nobody(host: Host, error: BaseException) -> None:
    never = Never(error)
    logging.getLogger("gapless").addFilter(never)
    try:
        system = host.system()
        letters = letters_of(system, fatal=True)
        system.dead_letters.subscribe(lambda _: raising(Halt())())
        other, ended = system.spawn(Doer), threading.Event()
        ref = system.spawn(Doer)
        ref.when_ended(ended.set)
        reply = ref.ask_later(Give(raising(ValueError("asked"))))
        with suppress(Halt):  # at once, if the answer is there
            reply.when_done(raising(Halt()))
        fails = Do(raising(ValueError("told")))
        ref.tell(fails)
        assert host.until(ended)
        assert [letter.message for letter in letters] == [fails]
        with pytest.raises(ValueError, match="asked"):
            reply.get(timeout=PATIENCE_S)
        assert other.ask(Give(lambda: 1)) == Success(1)
        assert system.stop()
    finally:
        logging.getLogger("gapless").removeFilter(never)


def test_an_exception_whose_notes_raise_ends_one_actor_alone(host: Host) -> None:
    system, ended = host.system(), threading.Event()
    other, ref = system.spawn(Doer), system.spawn(Doer)
    ref.when_ended(ended.set)
    ref.tell(Do(raising(NotedError())))
    assert host.until(ended)
    assert other.ask(Give(lambda: 1)) == Success(1)


def test_what_cannot_be_logged_is_not_raised() -> None:
    class Unshown:
        def __str__(self) -> str:
            raise KeyboardInterrupt

    logged("%s", Unshown())


@pytest.mark.parametrize("error", [ValueError(), Halt()])
def test_a_label_that_raises_costs_nothing_but_the_label(host: Host, error: BaseException) -> None:
    class Nameless(Doer):
        @property
        def label(self) -> str:
            raise error

    ref = host.system().spawn(Nameless)
    assert ref.ask(Give(lambda: 1)) == Success(1)
    assert repr(ref) == "<Ref to Nameless>"


def test_a_handler_that_raises_that_an_actor_is_dead_has_faulted(host: Host) -> None:
    error = pykka.ActorDeadError("another")
    ref = host.system().spawn(Doer)
    assert ref.ask(Give(raising(error))) == Failure(Faulted(error=repr(error)))


class Clumsy(StepActor[int, Do, Give]):
    def __init__(self) -> None:
        super().__init__(0)

    def step(self, state: int, message: Do, /) -> Next[int]:
        del state
        return cast("Next[int]", message.act())  # which is a lie

    def on_ask(self, query: Give, /) -> Answer:
        return query.answer(self.state)


def broken_outbox() -> object:
    return Next(1, cast("tuple[Outgoing, ...]", map(int, ["no number"])))


@pytest.mark.parametrize(
    "given", [lambda: None, lambda: 7, broken_outbox], ids=["none", "number", "outbox"]
)
def test_a_step_that_returns_something_else_is_parked(
    host: Host, given: Callable[[], object]
) -> None:
    system = host.system()
    letters = letters_of(system)
    ref, message = system.spawn(Clumsy), Do(given)
    ref.tell(message)
    assert ref.ask(Give()) == Success(0)
    assert [(letter.message, letter.death) for letter in letters] == [(message, Death.PARKED)]


def test_a_delay_or_a_deadline_that_is_no_number_is_refused() -> None:
    dispatcher = SteppedDispatcher()
    system, actor = ActorSystem(dispatcher, ManualClock()), Doer()
    ref, other = system.spawn(lambda: actor), system.spawn(Doer)
    dispatcher.run()
    with pytest.raises(ValueError, match="NaN"):
        actor.set_timer("k", cast("int", math.nan), Do(str))
    with pytest.raises(ValueError, match="nan"):
        actor.pipe_to_self(other, Give(), lambda _: Do(str), timeout_s=math.nan)
    assert dispatcher.ready == ()
    assert ref.mailbox.empty()


def test_an_actor_that_has_ended_sets_no_timer(host: Host) -> None:
    system, actor, ended = host.system(), Doer(), threading.Event()
    other = system.spawn(Doer)
    ref = system.spawn(lambda: actor)
    ref.when_ended(ended.set)
    actor.stop()
    assert host.until(ended)
    actor.set_timer("k", 1, Do(str))
    actor.watch(other, Do(str))
    host.clock.advance(1)
    assert system.timers.fire_due() == 0
    assert other.mailbox.when_ended(str)() is None


def test_the_flag_of_an_actor_can_be_shown_and_not_be_cleared() -> None:
    flag = StopFlag()
    assert repr(flag) == "<StopFlag: down>"
    flag.set()
    assert repr(flag) == "<StopFlag: up>"
    with pytest.raises(RuntimeError, match="stays stopped"):
        flag.clear()


class LetGo:
    """An object that does something as it is let go of."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def __del__(self) -> None:
        self._act()


def test_what_is_let_go_of_may_use_what_let_it_go() -> None:
    timers = Timers(ManualClock())
    system = ActorSystem(HybridDispatcher(), ManualClock())
    ref, done = system.spawn(Doer), list[str]()

    def use() -> None:
        timers.set("other", 1, str)
        ref.when_ended(str)()
        done.append("used")

    def held(it: LetGo) -> Callable[[], object]:
        return lambda: it

    timers.set("k", 1, held(LetGo(use)))
    timers.set("k", 1, held(LetGo(use)))
    timers.cancel("k")
    ref.when_ended(held(LetGo(use)))()
    worker = threading.Thread(target=system.stop, daemon=True)
    worker.start()
    worker.join(PATIENCE_S)
    assert not worker.is_alive()
    assert done == ["used"] * 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking beside a thread: the point
def test_a_forked_child_finds_a_shared_lock_free_whoever_held_it() -> None:
    lock, holding, over = shared_lock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            holding.set()
            over.wait(PATIENCE_S)

    holder = threading.Thread(target=hold)
    holder.start()
    assert holding.wait(PATIENCE_S)
    child = os.fork()
    if child == 0:
        signal.alarm(round(PATIENCE_S))  # which ends the child, if the lock is not free there
        with lock:
            os._exit(0)
    over.set()
    holder.join(PATIENCE_S)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_callback_added_while_another_is_added_is_not_lost() -> None:
    reply, called = Reply[int](), list[int]()
    for number in range(3):
        reply.when_done(partial(called.append, number))
    reply.set(1)
    assert called == [0, 1, 2]


def test_a_typed_actor_cannot_stop_the_world() -> None:
    with pytest.raises(TypeError, match="stops_the_world"):
        type("Careless", (CommandActor,), {"stops_the_world": True})


class Mixin:
    def take(self, message: object) -> None: ...


def test_a_mixin_that_would_replace_the_machinery_is_refused() -> None:
    with pytest.raises(TypeError, match="take would replace"):
        type("Careless", (Mixin, Doer), {})


@pytest.mark.parametrize("name", ["_publish", "_flush", "_park", "_receive", "_committed"])
def test_a_private_name_of_the_machinery_is_refused_too(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} would replace"):
        type("Careless", (Doer,), {name: None})


@pytest.mark.parametrize("name", ["answer", "take", "ended", "_publish", "_agenda"])
def test_an_attribute_that_would_replace_the_machinery_is_refused_at_the_spawn(
    host: Host, name: str
) -> None:
    actor = Doer()
    setattr(actor, name, 1)
    system = host.system()
    with pytest.raises(TypeError, match=f"{name} would replace"):
        system.spawn(lambda: actor)
    assert system.alive == 0
