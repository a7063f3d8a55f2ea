"""The permits one session gave, known by identity: a copy or a forgery closes nothing."""

from __future__ import annotations

import threading
from typing import TypeAlias, assert_never, final
from weakref import WeakSet

from gapless.actors.hosting.failures import CallFailure, NotTaken
from gapless.messages.answers import (
    Called,
    Closed,
    Fault,
    Ignored,
    NotClosed,
    PermitDue,
    QuestionAnswered,
)
from gapless.typings.close import (
    CloseAnswer,
    ClosePermit,
    CloseRefusal,
    Held,
    Permitted,
    Undetermined,
    mint_permit,
)
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.states import Ended

NotEnded: TypeAlias = CloseRefusal | CallFailure
"""Why a session was not closed."""


def heeded(outcome: Outcome[Called, NotTaken]) -> Outcome[Called, CallFailure]:
    """Call it a failure that an input changed nothing."""
    match outcome:
        case Success(called):
            ignored = next((it for it in called.answers if isinstance(it, Ignored)), None)
            return Success(called) if ignored is None else Failure(ignored)
        case Failure():
            return outcome
        case _:
            assert_never(outcome)


def ended(outcome: Outcome[Called, NotTaken]) -> Outcome[Ended, NotEnded]:
    """Return what a close came to."""
    came = heeded(outcome)
    match came:
        case Success(called):
            for answer in called.answers:
                match answer:
                    case Closed(ended=ended):
                        return Success(ended)
                    case NotClosed(refusal=refusal):
                        return Failure(refusal)
                    case QuestionAnswered() | Ignored():
                        continue
                    case _:
                        assert_never(answer)
            return Failure(Fault(reason="it was not answered"))
        case Failure():
            return came
        case _:
            assert_never(came)


@final
class Permits:
    """The permits of one session that can still close it. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minted = WeakSet[ClosePermit]()

    def know(self, permit: ClosePermit) -> bool:
        """Whether this very permit was minted here, and not used."""
        with self._lock:
            return permit in self._minted

    def use_up(self, permit: ClosePermit) -> None:
        """Know it no more."""
        with self._lock:
            self._minted.discard(permit)

    def answered(self, outcome: Outcome[Called, NotTaken]) -> Outcome[CloseAnswer, CallFailure]:
        """Return what a close question came to, with the permit where there is one."""
        came = heeded(outcome)
        match came:
            case Success(called):
                for answer in called.answers:
                    if isinstance(answer, QuestionAnswered):
                        return Success(self._answer(answer))
                return Failure(Fault(reason="it was not answered"))
            case Failure():
                return came
            case _:
                assert_never(came)

    def _answer(self, answer: QuestionAnswered) -> CloseAnswer:
        match answer.answer:
            case PermitDue(as_of=as_of, gated=gated):
                permit = mint_permit(answer.question, as_of)
                with self._lock:
                    self._minted.add(permit)
                return Permitted(permit=permit, as_of=as_of, gated=gated)
            case Held() | Undetermined():
                return answer.answer
            case _:
                assert_never(answer.answer)
