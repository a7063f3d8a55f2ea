"""Mailboxes: three classes of message, their order, their bounds, and no lost wake-up."""

from __future__ import annotations

import threading
from collections import Counter
from typing import ClassVar, TypeAlias, final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    MailboxFull,
    ManualClock,
    Query,
    Ref,
    SteppedDispatcher,
    TypedActor,
)
from gapless.typings.outcome import Failure, Success
from tests.runtime.kit import PATIENCE_S, Host, switching_every, together


@final
class Fact(Struct, frozen=True):
    number: int


@final
class Level(Struct, frozen=True):
    number: int


@final
class Heat(Struct, frozen=True):
    number: int


@final
class Plain(Struct, frozen=True):
    number: int


Command: TypeAlias = Fact | Level | Heat | Plain


@final
class Seen(Query[tuple[Command, ...]], frozen=True):
    """What did it take so far, in order?"""


CAPACITY = 40  # more than a list that is short


class Inbox(TypedActor[Command, Seen]):
    capacity = CAPACITY
    facts: ClassVar[tuple[type, ...]] = (Fact,)
    samples: ClassVar[tuple[type, ...]] = (Level, Heat)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Command] = []

    def on_tell(self, message: Command, /) -> None:
        self.seen.append(message)

    def on_ask(self, query: Seen, /) -> Answer:
        return query.answer(tuple(self.seen))


def still() -> tuple[SteppedDispatcher, Ref[Command, Seen]]:
    """An actor that takes a message only when it is stepped."""
    dispatcher = SteppedDispatcher()
    ref = ActorSystem(dispatcher, ManualClock()).spawn(Inbox)
    dispatcher.run()
    return dispatcher, ref


def seen(ref: Ref[Command, Seen]) -> list[Command]:
    outcome = ref.ask(Seen(), timeout_s=PATIENCE_S)
    assert isinstance(outcome, Success)
    return list(outcome.unwrap())


def test_an_ordinary_message_beyond_the_bound_is_handed_back() -> None:
    _, ref = still()
    for number in range(CAPACITY):
        assert isinstance(ref.tell(Plain(number)), Success)
    refused = Plain(-1)
    outcome = ref.tell(refused)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.failure(), MailboxFull)
    assert outcome.failure().message is refused


def test_a_fact_is_taken_beyond_the_bound() -> None:
    _, ref = still()
    for number in range(3 * CAPACITY):
        assert isinstance(ref.tell(Fact(number)), Success)
    assert seen(ref) == [Fact(number) for number in range(3 * CAPACITY)]


def test_an_ask_is_taken_beyond_the_bound() -> None:
    _, ref = still()
    for number in range(CAPACITY):
        ref.tell(Plain(number))
    assert len(seen(ref)) == CAPACITY


def test_a_backlog_that_was_moved_out_still_counts_as_waiting() -> None:
    dispatcher, ref = still()
    for number in range(CAPACITY):
        ref.tell(Plain(number))
    dispatcher.step()
    assert isinstance(ref.tell(Plain(CAPACITY)), Success)
    assert isinstance(ref.tell(Plain(CAPACITY + 1)), Failure)


def test_of_a_sample_the_latest_is_kept_in_the_place_of_the_first() -> None:
    _, ref = still()
    for sent in (Level(1), Plain(1), Level(2), Heat(1), Plain(2), Level(3), Heat(2)):
        ref.tell(sent)
    assert seen(ref) == [Level(3), Plain(1), Heat(2), Plain(2)]


def test_a_sample_after_one_that_was_taken_is_taken_too() -> None:
    _, ref = still()
    ref.tell(Level(1))
    seen(ref)
    ref.tell(Level(1))
    assert seen(ref) == [Level(1), Level(1)]


def test_a_sample_that_waits_when_its_actor_stops_is_one_dead_letter() -> None:
    dispatcher = SteppedDispatcher()
    system = ActorSystem(dispatcher, ManualClock())
    buried: list[object] = []
    system.dead_letters.subscribe(lambda letter: buried.append(letter.message))
    actors: list[Inbox] = []

    def make() -> Inbox:
        actors.append(Inbox())
        return actors[0]

    ref = system.spawn(make)
    actors[0].stop()
    ref.tell(Level(1))
    ref.tell(Level(2))
    dispatcher.run()
    assert buried == [Level(2)]


def test_messages_sent_before_it_was_opened_wait_for_its_start() -> None:
    dispatcher = SteppedDispatcher()
    log: list[str] = []

    class Early(Inbox):
        def __init__(self) -> None:
            super().__init__()
            self.me.tell(Plain(1))

        def on_start(self) -> None:
            log.append("start")

        def on_tell(self, message: Command, /) -> None:
            log.append(repr(message))

    system = ActorSystem(dispatcher, ManualClock())
    system.spawn(Early)
    dispatcher.run()
    assert log == ["start", repr(Plain(1))]


def test_the_last_sample_of_concurrent_senders_is_never_lost(background: Host) -> None:
    ref = background.system().spawn(Inbox)

    def send() -> None:
        for number in range(500):
            ref.tell(Level(number))
            ref.tell(Heat(number))

    with switching_every(1e-6):
        together([send] * 4)
    taken = seen(ref)
    assert [each for each in taken if isinstance(each, Level)][-1] == Level(499)
    assert [each for each in taken if isinstance(each, Heat)][-1] == Heat(499)


def test_no_wake_up_is_lost_between_a_look_and_going_idle(background: Host) -> None:
    ref = background.system().spawn(Inbox)

    def send() -> None:
        for _ in range(300):
            seen(ref)  # each finds the actor just about idle

    with switching_every(1e-6):
        together([send] * 3)


def test_its_length_can_be_read_while_it_is_drained(background: Host) -> None:
    ref = background.system().spawn(Inbox)
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            assert len(ref.mailbox) >= 0

    def send() -> None:
        for number in range(3_000):
            ref.tell(Fact(number))
        seen(ref)
        over.set()

    with switching_every(1e-6):
        together([read, send])


COMMANDS = st.one_of(
    st.builds(Fact, st.integers()),
    st.builds(Level, st.integers()),
    st.builds(Heat, st.integers()),
    st.builds(Plain, st.integers()),
)
STEPS = st.lists(st.one_of(st.none(), COMMANDS, st.lists(COMMANDS, min_size=30)), max_size=20)


@final
class Model:
    """A mailbox as a list."""

    def __init__(self) -> None:
        self.waiting: list[Command] = []
        self.taken: list[Command] = []
        self.refused: Counter[Command] = Counter()

    def tell(self, sent: Command) -> bool:
        if isinstance(sent, Level | Heat):
            for place, waits in enumerate(self.waiting):
                if type(waits) is type(sent):
                    self.waiting[place] = sent
                    return True
        elif isinstance(sent, Plain) and len(self.waiting) >= CAPACITY:
            return False
        self.waiting.append(sent)
        return True

    def step(self) -> None:
        if self.waiting:
            self.taken.append(self.waiting.pop(0))


@given(STEPS)
def test_a_mailbox_does_what_a_list_would(steps: list[Command | list[Command] | None]) -> None:
    dispatcher, ref = still()
    model = Model()
    for step in steps:
        if step is None:
            model.step()
            dispatcher.step()
            continue
        for sent in step if isinstance(step, list) else [step]:
            assert isinstance(ref.tell(sent), Success) == model.tell(sent)
        assert len(ref.mailbox) == len(model.waiting)
    assert seen(ref) == [*model.taken, *model.waiting]


@pytest.mark.parametrize("length", [31, 32, 33, 100])
def test_a_backlog_is_taken_in_order_however_long(host: Host, length: int) -> None:
    ref = host.system().spawn(Inbox)
    for number in range(length):
        ref.tell(Fact(number))
    assert seen(ref) == [Fact(number) for number in range(length)]
