"""Everything at once, finely interleaved: nothing lost, order kept, one turn at a time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeAlias, final

import pytest
from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    AskGone,
    Faulted,
    Query,
    Ref,
    TypedActor,
)
from gapless.typings.outcome import Success
from tests.runtime.kit import PATIENCE_S, Halt, Host, letters_of, switching_every, together

SENDERS, SLOTS, EACH = 6, 4, 600


@final
class Note(Struct, frozen=True):
    sender: int
    number: int


@final
class Numbered(Query[int], frozen=True):
    sender: int
    number: int


Word: TypeAlias = Note | Numbered


@final
class Ledger:
    """What became of every message, and whatever went wrong."""

    def __init__(self) -> None:
        self.handled: list[Word] = []
        self.returned: list[Word] = []
        self.wrong: list[str] = []


@final
class Busy(TypedActor[Note, Numbered]):
    """Writes down what it gets; some of it makes it stop, fail, or fail badly."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._turn = threading.Lock()
        self._latest: dict[int, int] = {}

    def on_tell(self, message: Note, /) -> None:
        self._take(message, lambda: self._misbehave(message.number))

    def on_ask(self, query: Numbered, /) -> Answer:
        self._take(query, lambda: self._fault(query.number))
        return query.answer(query.number)

    def _take(self, word: Word, then: Callable[[], object]) -> None:
        if not self._turn.acquire(blocking=False):
            self._ledger.wrong.append(f"two turns at once at {word}")
            return
        try:
            if self._latest.get(word.sender, -1) >= word.number:
                self._ledger.wrong.append(f"{word} after {self._latest}")
            self._latest[word.sender] = word.number
            self._ledger.handled.append(word)
            then()
        finally:
            self._turn.release()

    def _misbehave(self, number: int) -> None:
        if number % 97 == 1:
            self.stop()
        if number % 101 == 1:
            raise Halt
        if number % 103 == 1:
            raise ValueError

    def _fault(self, number: int) -> None:
        if number % 5 == 0:
            raise ValueError
        if number % 7 == 0:
            raise Halt


@final
class Crowd:
    """Actors of which each that ends is followed by a new one."""

    def __init__(self, system: ActorSystem, ledger: Ledger) -> None:
        self._system = system
        self._ledger = ledger
        self._lock = threading.Lock()
        self._slots = [system.spawn(Busy, ledger) for _ in range(SLOTS)]

    def at(self, number: int) -> Ref[Note, Numbered]:
        return self._slots[number % SLOTS]

    def replace(self, slot: int, gone: Ref[Note, Numbered]) -> None:
        with self._lock:
            if self._slots[slot % SLOTS] == gone:
                self._slots[slot % SLOTS] = self._system.spawn(Busy, self._ledger)


def send(crowd: Crowd, ledger: Ledger, sender: int) -> None:
    for number in range(EACH * SLOTS):
        ref = crowd.at(number)
        if number % 25 == 3:
            query = Numbered(sender, number)
            outcome = ref.ask(query, timeout_s=PATIENCE_S)
            if isinstance(outcome, Success):
                if outcome.unwrap() != number:
                    ledger.wrong.append(f"{query} got {outcome}")
                continue
            match outcome.failure():
                case AskGone():
                    ledger.returned.append(query)
                    crowd.replace(number, ref)
                case Faulted():
                    pass
                case other:
                    ledger.wrong.append(f"{query} came to {other}")
        else:
            told = ref.tell(Note(sender, number))
            if not isinstance(told, Success):
                ledger.returned.append(told.failure().message)
                crowd.replace(number, ref)


@pytest.mark.parametrize("interval_s", [1e-6, 5e-6])
def test_nothing_is_lost_or_reordered_and_every_asker_is_answered(
    background: Host, interval_s: float
) -> None:
    ledger = Ledger()
    system = background.system()
    letters = letters_of(system)
    crowd = Crowd(system, ledger)
    with switching_every(interval_s):
        together([partial(send, crowd, ledger, sender) for sender in range(SENDERS)])
        assert system.stop()
    assert ledger.wrong == []
    buried = [letter.message for letter in letters]
    came_to = Counter([*ledger.handled, *ledger.returned, *buried])
    sent = {
        (Numbered if number % 25 == 3 else Note)(sender, number)
        for sender in range(SENDERS)
        for number in range(EACH * SLOTS)
    }
    assert came_to.keys() == sent
    assert set(came_to.values()) == {1}
    assert ledger.returned
