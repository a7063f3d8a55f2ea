"""Hearing of the end of another actor, and of messages that nobody handled."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from functools import partial

import pytest

from gapless.actors.runtime import ActorSystem, Death, ManualClock, SteppedDispatcher
from tests.runtime.kit import (
    Do,
    Doer,
    Give,
    Halt,
    Host,
    caught_up,
    end,
    letters_of,
    raising,
    value_of,
)


def test_who_watches_is_told_once_when_the_other_ends(host: Host) -> None:
    system = host.system()
    watcher, log = Doer(), list[str]()
    me, other = system.spawn(lambda: watcher), system.spawn(Doer)
    me.tell(Do(lambda: watcher.watch(other, Do(lambda: log.append("ended")))))
    caught_up(me)
    assert log == []
    end(system, other)
    caught_up(me)
    assert log == ["ended"]


def test_who_watches_one_that_has_ended_is_told_at_once(host: Host) -> None:
    system = host.system()
    watcher, log = Doer(), list[str]()
    me, other = system.spawn(lambda: watcher), system.spawn(Doer)
    end(system, other)
    me.tell(Do(lambda: watcher.watch(other, Do(lambda: log.append("ended")))))
    caught_up(me)
    caught_up(me)
    assert log == ["ended"]


def test_a_watcher_that_has_ended_itself_harms_nobody(host: Host) -> None:
    system = host.system()
    watcher = Doer()
    me, other, third = system.spawn(lambda: watcher), system.spawn(Doer), system.spawn(Doer)
    watcher.watch(other, Do(str))
    end(system, me)
    end(system, other)
    assert value_of(third.ask(Give(lambda: 1))) == 1


def test_a_listener_that_raises_keeps_no_other_from_hearing_of_an_end(host: Host) -> None:
    system = host.system()
    other, log = system.spawn(Doer), list[str]()
    other.when_ended(raising(Halt("a listener")))
    other.when_ended(lambda: log.append("ended"))
    end(system, other)
    assert log == ["ended"]


def test_what_waits_when_an_actor_ends_is_a_dead_letter_each(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    ref = system.spawn(Doer)
    waiting = [Do(str), Do(list), Do(dict)]

    def fail() -> None:
        for message in waiting:
            ref.tell(message)
        raise Halt

    ended = threading.Event()
    ref.when_ended(ended.set)
    ref.tell(Do(fail))
    assert host.until(ended)
    assert [letter.message for letter in letters] == waiting
    assert {letter.death for letter in letters} == {Death.UNDELIVERED}
    assert {letter.actor for letter in letters} == {"Doer"}


@pytest.mark.parametrize("error", [ValueError("no"), Halt("no")])
def test_the_message_that_ends_an_actor_is_a_dead_letter(host: Host, error: BaseException) -> None:
    system, ended = host.system(), threading.Event()
    letters = letters_of(system, fatal=True)
    ref = system.spawn(Doer)
    ref.when_ended(ended.set)
    deadly = Do(raising(error))
    ref.tell(deadly)
    assert host.until(ended)
    assert [(letter.message, letter.error) for letter in letters] == [(deadly, repr(error))]


def test_being_told_twice_to_stop_is_no_dead_letter(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    actor = Doer()

    def stop_twice() -> None:
        actor.stop()
        actor.stop()

    system.spawn(lambda: actor).tell(Do(stop_twice))
    system.stop()
    assert letters == []


@pytest.mark.parametrize("error", [ValueError("a subscriber"), Halt("a subscriber")])
def test_a_subscriber_that_raises_harms_nobody(host: Host, error: BaseException) -> None:
    system = host.system()
    act = raising(error)
    system.dead_letters.subscribe(lambda _: act())
    letters = letters_of(system)
    ref, other = system.spawn(Doer), system.spawn(Doer)
    end(system, ref)
    ref.mailbox.post(Do(str))
    assert len(letters) == 1
    assert system.dead_letters.count == 2
    assert value_of(other.ask(Give(lambda: 1))) == 1


def test_an_actor_that_has_ended_is_let_go_of(host: Host) -> None:
    system, ended = host.system(), threading.Event()
    made = [Doer()]
    ref, gone = system.spawn(lambda: made[0]), weakref.ref(made[0])
    ref.when_ended(ended.set)
    made.pop().stop()
    assert host.until(ended)
    caught_up(system.spawn(Doer))  # its last turn is over
    gc.collect()
    assert gone() is None


def let_go_of(host: Host, made: list[Doer], first: Callable[[Doer], object]) -> bool:
    """Whether an actor that did ``first`` is gone once it has stopped."""
    system, ended = host.system(), threading.Event()
    ref, gone = system.spawn(lambda: made[0]), weakref.ref(made[0])
    actor = made.pop()
    ref.tell(Do(partial(first, actor)))
    caught_up(ref)
    ref.when_ended(ended.set)
    actor.stop()
    del actor
    assert host.until(ended)
    caught_up(system.spawn(Doer))  # its last turn is over
    gc.collect()
    return gone() is None


def test_a_watch_on_one_that_lives_on_does_not_keep_the_watcher(host: Host) -> None:
    other = host.system().spawn(Doer)
    assert let_go_of(host, [Doer()], lambda it: it.watch(other, Do(lambda: it)))


def test_a_timer_far_in_the_future_does_not_keep_its_actor(host: Host) -> None:
    assert let_go_of(host, [Doer()], lambda it: it.set_timer("k", 3_600_000, Do(lambda: it)))


def test_an_answer_that_came_does_not_keep_the_asker_until_its_deadline(host: Host) -> None:
    other = host.system().spawn(Doer)
    assert let_go_of(
        host, [Doer()], lambda it: it.pipe_to_self(other, Give(), lambda _: Do(lambda: it))
    )


def test_an_answer_that_never_comes_does_not_keep_the_asker(host: Host) -> None:
    never = ActorSystem(SteppedDispatcher(), host.clock).spawn(Doer)
    assert let_go_of(
        host, [Doer()], lambda it: it.pipe_to_self(never, Give(), lambda _: Do(lambda: it))
    )


def test_an_end_is_heard_of_across_systems() -> None:
    here, there = (ActorSystem(SteppedDispatcher(), ManualClock()) for _ in range(2))
    watcher, log = Doer(), list[str]()
    me, other = here.spawn(lambda: watcher), there.spawn(Doer)
    me.tell(Do(lambda: watcher.watch(other, Do(lambda: log.append("ended")))))
    caught_up(me)
    end(there, other)
    caught_up(me)
    assert log == ["ended"]


def test_who_waits_for_an_end_may_take_that_back(host: Host) -> None:
    system, log = host.system(), list[str]()
    other = system.spawn(Doer)
    take_back = other.when_ended(lambda: log.append("ended"))
    take_back()
    end(system, other)
    take_back()
    assert log == []


def test_a_subscriber_that_raises_is_logged(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    system = host.system()
    act = raising(ValueError("a subscriber"))
    system.dead_letters.subscribe(lambda _: act())
    end(system, system.spawn(Doer))
    assert "subscriber" in caplog.text
