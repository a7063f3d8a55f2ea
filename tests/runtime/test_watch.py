"""Hearing of the end of another actor, and of messages that nobody handled."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from gapless.actors.runtime import Death
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
    system.when_ended(other.mailbox, raising(Halt("a listener")))
    system.when_ended(other.mailbox, lambda: log.append("ended"))
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
    system.when_ended(ref.mailbox, ended.set)
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
    system.when_ended(ref.mailbox, ended.set)
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
    system.when_ended(ref.mailbox, ended.set)
    made.pop().stop()
    assert host.until(ended)
    caught_up(system.spawn(Doer))  # its last turn is over
    gc.collect()
    assert gone() is None
