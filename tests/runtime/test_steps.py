"""State and sends: wholly, or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from msgspec import Struct

from gapless.actors.runtime import (
    Answer,
    Death,
    Next,
    Outgoing,
    Query,
    Ref,
    StepActor,
    to,
)
from gapless.typings.outcome import Success
from tests.runtime.kit import Do, Doer, Halt, Host, caught_up, end, letters_of, raising


def sending(send: Callable[[], object]) -> Outgoing:
    def sent() -> bool:
        send()
        return True

    return Outgoing(sent, "a message", "Somebody")


class Add(Struct, frozen=True):
    number: int
    before: Callable[[], object] = str
    outbox: tuple[Outgoing, ...] = ()


class Sum(Query[tuple[int, ...]], frozen=True):
    """What was added, in order?"""


class Adder(StepActor[tuple[int, ...], Add, Sum]):
    def __init__(self) -> None:
        super().__init__(())

    def step(self, state: tuple[int, ...], message: Add, /) -> Next[tuple[int, ...]]:
        message.before()
        return Next((*state, message.number), message.outbox)

    def on_ask(self, query: Sum, /) -> Answer:
        return query.answer(self.state)


class Apologetic(Adder):
    def parked(
        self, state: tuple[int, ...], message: Add, error: BaseException, /
    ) -> Next[tuple[int, ...]]:
        del error
        return Next((*state, -message.number), message.outbox)


def failing(times: int, log: list[str]) -> Callable[[], object]:
    def act() -> None:
        log.append("tried")
        if len(log) <= times:
            raise Halt(len(log))

    return act


def sum_of(ref: Ref[Add, Sum]) -> tuple[int, ...]:
    outcome = ref.ask(Sum())
    assert isinstance(outcome, Success)
    return outcome.unwrap()


def test_a_command_that_fails_once_is_tried_again_before_later_ones(host: Host) -> None:
    ref, log = host.system().spawn(Adder), list[str]()
    ref.tell(Add(1, failing(1, log)))
    ref.tell(Add(2))
    assert sum_of(ref) == (1, 2)


def test_a_command_that_fails_twice_is_parked_and_changes_nothing(host: Host) -> None:
    system, log, sent = host.system(), list[str](), list[str]()
    letters = letters_of(system)
    ref = system.spawn(Adder)
    poison = Add(1, failing(9, log), (sending(lambda: sent.append("sent")),))
    ref.tell(poison)
    ref.tell(Add(2))
    assert sum_of(ref) == (2,)
    (letter,) = letters
    assert (letter.message, letter.death, letter.error) == (poison, Death.PARKED, "Halt(2)")
    assert log == ["tried", "tried"]
    assert sent == []


def test_what_a_failed_command_comes_to_is_for_its_actor_to_say(host: Host) -> None:
    system, sent = host.system(), list[str]()
    ref = system.spawn(Apologetic)
    ref.tell(Add(1, raising(ValueError()), (sending(lambda: sent.append("sorry")),)))
    assert sum_of(ref) == (-1,)
    assert sent == ["sorry"]


class Sulking(Adder):
    def parked(
        self, state: tuple[int, ...], message: Add, error: BaseException, /
    ) -> Next[tuple[int, ...]]:
        del state, message, error
        raise Halt


def test_an_actor_that_fails_to_say_so_goes_on_as_it_was(host: Host) -> None:
    ref = host.system().spawn(Sulking)
    ref.tell(Add(1, raising(ValueError())))
    ref.tell(Add(2))
    assert sum_of(ref) == (2,)


def test_sends_go_out_in_order_after_the_state_is_committed(host: Host) -> None:
    system, log = host.system(), list[object]()
    adder = Adder()
    ref, other = system.spawn(lambda: adder), system.spawn(Doer)
    sends = tuple(to(other, Do(partial(log.append, number))) for number in range(3))
    ref.tell(Add(7, str, (sending(lambda: log.append(adder.state)), *sends)))
    sum_of(ref)
    caught_up(other)
    assert log == [(7,), 0, 1, 2]


@pytest.mark.parametrize("error", [ValueError("wire"), Halt("wire")])
def test_a_crash_while_sending_only_delays_the_rest(host: Host, error: BaseException) -> None:
    system, log = host.system(), list[str]()
    crashed: list[int] = []

    def crash_once() -> None:
        if not crashed:
            crashed.append(1)
            raise error
        log.append("second")

    outbox = (
        sending(lambda: log.append("first")),
        sending(crash_once),
        sending(lambda: log.append("third")),
    )
    ref = system.spawn(Adder)
    ref.tell(Add(1, str, outbox))
    assert sum_of(ref) == (1,)
    assert log == ["first", "second", "third"]


def test_a_send_that_fails_twice_is_parked_and_the_rest_goes_out(host: Host) -> None:
    system, log = host.system(), list[str]()
    letters = letters_of(system)
    ref = system.spawn(Adder)
    bad = sending(raising(Halt("wire")))
    ref.tell(Add(1, str, (bad, sending(lambda: log.append("sent")))))
    assert sum_of(ref) == (1,)
    assert log == ["sent"]
    (letter,) = letters
    assert (letter.message, letter.death) == ("a message", Death.UNDELIVERED)


def test_a_send_that_is_refused_is_a_dead_letter(host: Host) -> None:
    system = host.system()
    letters = letters_of(system)
    ref, gone = system.spawn(Adder), system.spawn(Doer)
    end(system, gone)
    message = Do(str)
    ref.tell(Add(1, str, (to(gone, message),)))
    assert sum_of(ref) == (1,)
    (letter,) = letters
    assert (letter.message, letter.death) == (message, Death.UNDELIVERED)


def test_an_interrupt_while_it_sends_ends_it_and_the_rest_are_dead_letters(host: Host) -> None:
    system, ended = host.system(), threading.Event()
    letters = letters_of(system)

    class Interrupted(Adder, machinery=True):
        """An interrupt falls where nothing catches it: between two sends."""

        interrupts = 1

        def _publish(self, message: object, death: Death, error: str) -> None:
            if message == "interrupted" and self.interrupts:
                self.interrupts = 0
                raise KeyboardInterrupt
            super()._publish(message, death, error)

    def refuse() -> bool:
        return False

    ref = system.spawn(Interrupted)
    ref.when_ended(ended.set)
    outbox = [Outgoing(refuse, text, "Somebody") for text in ("interrupted", "first", "second")]
    ref.tell(Add(1, str, tuple(outbox)))
    assert host.until(ended)
    assert [it.message for it in letters] == ["interrupted", "first", "second"]


def test_every_fault_is_logged(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    ref = host.system().spawn(Sulking)
    ref.tell(Add(1, raising(ValueError("a step")), ()))
    assert sum_of(ref) == ()
    levels = [record.levelname for record in caplog.records]
    assert levels == ["WARNING", "ERROR", "ERROR"]
