"""What an actor is can be put back, as if nothing had happened since."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest
from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    ManualClock,
    Next,
    Outgoing,
    Query,
    StepActor,
    SteppedDispatcher,
)


class Note(Struct, frozen=True):
    text: str


class Reading(Struct, frozen=True):
    value: int


class Effect(Struct, frozen=True):
    act: Callable[[Book], object]


class Look(Query[str], frozen=True):
    pass


class Book(StepActor[str, Note | Reading | Effect, Look]):
    samples: ClassVar[tuple[type, ...]] = (Reading,)

    def __init__(self) -> None:
        super().__init__("")

    def on_ask(self, query: Look, /) -> Answer:
        return query.answer(self.state)

    def step(self, state: str, message: Note | Reading | Effect, /) -> Next[str]:
        match message:
            case Note():
                return Next(state + message.text)
            case Reading():
                return Next(state + str(message.value))
            case Effect():
                return Next(state, (Outgoing(lambda: self._do(message), message, "itself"),))

    def _do(self, effect: Effect) -> bool:
        effect.act(self)
        return True


class Shelf:
    """A book that can be taken down whole."""

    def __init__(self) -> None:
        self.clock, self.stepped = ManualClock(), SteppedDispatcher()
        self.system = ActorSystem(self.stepped, self.clock)
        self.book = Book()
        self.ref = self.system.spawn(lambda: self.book)
        self.stepped.run()

    def freeze(self) -> Callable[[], None]:
        committed, waiting = self.book.freeze(), self.book.mailbox.freeze()
        timers, now_ms = self.system.timers.freeze(), self.clock.now_ms()

        def thaw() -> None:
            self.book.thaw(committed)
            self.book.mailbox.thaw(waiting)
            self.system.timers.thaw(timers)
            self.clock.thaw(now_ms)

        return thaw

    def do(self, act: Callable[[Book], object]) -> None:
        self.ref.tell(Effect(act))

    def wait(self, by_ms: int) -> None:
        self.clock.advance(by_ms)
        self.system.timers.fire_due()

    def read(self) -> str:
        self.stepped.run()
        return self.book.state


def test_a_state_and_what_waits_come_back() -> None:
    shelf = Shelf()
    shelf.ref.tell(Note("a"))
    shelf.stepped.step()
    shelf.ref.tell(Note("b"))
    thaw = shelf.freeze()
    assert shelf.read() == "ab"
    shelf.ref.tell(Note("x"))
    for _ in range(2):
        thaw()
        assert shelf.book.state == "a"
        assert shelf.read() == "ab"


def test_a_mailbox_that_is_emptied_takes_what_comes_next() -> None:
    shelf = Shelf()
    thaw = shelf.freeze()
    shelf.ref.tell(Note("x"))
    thaw()
    shelf.ref.tell(Note("a"))
    assert shelf.read() == "a"


def test_a_long_backlog_comes_back_in_order() -> None:
    shelf, text = Shelf(), "abcdefghijklmnopqrstuvwxyz" * 3
    for letter in text:
        shelf.ref.tell(Note(letter))
    shelf.stepped.step()  # the rest is set aside by now
    shelf.ref.tell(Note("!"))
    thaw = shelf.freeze()
    for _ in range(2):
        thaw()
        assert shelf.read() == f"{text}!"


def test_the_latest_sample_is_what_it_was() -> None:
    shelf = Shelf()
    shelf.ref.tell(Reading(1))
    shelf.ref.tell(Reading(2))
    thaw = shelf.freeze()
    shelf.ref.tell(Reading(3))
    assert shelf.read() == "3"
    thaw()
    assert shelf.read() == "2"
    thaw()
    shelf.ref.tell(Reading(4))
    assert shelf.read() == "4"


def test_timers_come_back_with_the_clock() -> None:
    shelf = Shelf()
    shelf.do(lambda it: it.set_timer("a", 10, Note("a")))
    shelf.do(lambda it: it.set_timer("b", 5, Note("b")))
    shelf.stepped.run()
    shelf.wait(1)
    thaw = shelf.freeze()
    for _ in range(2):
        shelf.wait(4)
        assert shelf.read() == "b"
        shelf.wait(5)
        assert shelf.read() == "ba"
        thaw()
        assert (shelf.read(), shelf.clock.now_ms()) == ("", 1)
        shelf.do(lambda it: it.cancel_timer("a"))
        shelf.stepped.run()
        shelf.wait(100)
        assert shelf.read() == "b"
        thaw()
        assert shelf.system.timers.next_due_ms() == 5


def test_a_timer_that_rang_counts_until_it_is_set_anew() -> None:
    shelf = Shelf()
    shelf.do(lambda it: it.set_timer("a", 1, Note("old")))
    shelf.stepped.run()
    shelf.wait(1)
    thaw = shelf.freeze()
    assert shelf.read() == "old"
    thaw()
    shelf.book.set_timer("a", 1, Note("new"))
    shelf.wait(1)
    assert shelf.read() == "new"
    thaw()
    assert shelf.read() == "old"


def test_what_was_not_sent_yet_goes_out_late() -> None:
    shelf, sent = Shelf(), list[str]()
    state, *_ = shelf.book.freeze()

    def sending(text: str) -> Outgoing:
        def send() -> bool:
            sent.append(text)
            return True

        return Outgoing(send, text, "a list")

    outbox = (sending("first"), sending("second"))
    shelf.book.thaw(shelf.book.freeze()._replace(unsent=outbox))
    assert shelf.book.freeze() == (state, outbox, ())
    shelf.book.send_late()
    assert sent == ["first", "second"]
    assert shelf.book.freeze() == (state, (), ())
    shelf.book.thaw(shelf.book.freeze()._replace(unsent=outbox))
    shelf.do(lambda _: sent.append("then"))
    shelf.stepped.run()
    assert sent == ["first", "second", "first", "second", "then"]


def test_what_it_waits_for_cannot_be_put_back() -> None:
    shelf = Shelf()
    shelf.book.watch(shelf.ref, Note("never"))
    with pytest.raises(TypeError, match="Book awaits an answer or an end"):
        shelf.freeze()
