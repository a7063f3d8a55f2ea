"""Run effects, each once: idempotent by id, and outliving the actors that wanted them.

An actor that failed and was asked again wants its effect again. The runner then does not do it
twice: a running one gets another listener, a finished one answers with what it came to.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Generic, TypeVar, final

from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.logs import contained, logged
from gapless.actors.runtime.outcomes import Faulted
from gapless.typings.outcome import Failure, Outcome, Success

Id = TypeVar("Id")
Result = TypeVar("Result")

_CLOSED: Final = Faulted(error="the runner is closed")


@final
class _Effect(Generic[Id, Result]):
    """One effect: who wants to hear of it, until it has come to something."""

    __slots__ = ("begun", "effect", "listeners", "outcome")

    def __init__(self, effect: Id) -> None:
        self.effect = effect
        self.begun: bool = False
        self.listeners: list[Callable[[Outcome[Result, Faulted]], object]] = []
        self.outcome: Outcome[Result, Faulted] | None = None


class _Inside(threading.local):
    """Whether this thread does effects."""

    yes: bool = False


_INSIDE: Final = _Inside()


@final
class EffectRunner(Generic[Id, Result]):
    """Does work off the dispatcher's thread and says what it came to.

    ``remembered`` is how many finished ids answer a repeat; older ones are forgotten.
    """

    def __init__(self, threads: int = 4, remembered: int = 10_000) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="gapless-effect")
        self._remembered = remembered
        # Re-entrant: an id is hashed under it, and a destructor may want an effect meanwhile.
        self._lock = threading.RLock()
        self._effects: dict[Id, _Effect[Id, Result]] = {}
        self._unfinished: dict[_Effect[Id, Result], None] = {}
        self._finished: deque[_Effect[Id, Result]] = deque()  # oldest first
        self._closed: bool = False

    def run(
        self,
        effect: Id,
        work: Callable[[], Result],
        then: Callable[[Outcome[Result, Faulted]], object],
    ) -> None:
        """Do ``work`` unless ``effect`` was or is being done, and tell ``then`` what it came to.

        That is ``Faulted`` too if the id cannot be hashed, or no thread is to be had.
        """
        made: _Effect[Id, Result] = _Effect(effect)
        try:
            with self._lock:
                known = self._effects.get(effect, made)
                outcome = known.outcome
                if outcome is None and self._closed:
                    outcome = Failure(_CLOSED)
                if outcome is None:
                    if known is made:
                        self._effects[effect] = made
                        self._unfinished[made] = None
                    known.listeners.append(then)
        except Exception as error:  # noqa: BLE001 - of the id's own, and its caller's alone
            _tell(then, Failure(Faulted(error=shown(error))))
            return
        if outcome is not None:
            _tell(then, outcome)
        elif known is made:
            self._submit(made, work)

    def close(self) -> None:
        """Wait for what runs; what has not begun, or comes later, fails.

        From an effect or a listener it does not wait: it is part of what it would wait for.
        """
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        for each in tuple(self._unfinished):
            if not each.begun:
                self._settle(each, Failure(_CLOSED), forget=True)
        if not _INSIDE.yes:
            self._pool.shutdown()

    def _submit(self, effect: _Effect[Id, Result], work: Callable[[], Result]) -> None:
        try:
            self._pool.submit(self._work, effect, work)
        except BaseException as error:
            self._settle(effect, Failure(Faulted(error=shown(error))), forget=True)
            if not isinstance(error, Exception):
                raise

    def _work(self, effect: _Effect[Id, Result], work: Callable[[], Result]) -> None:
        _INSIDE.yes = True
        with self._lock:
            if effect.outcome is not None:  # the pool raised, and kept it all the same
                return
            effect.begun = True
        outcome: Outcome[Result, Faulted]
        try:
            outcome = Success(work())
        except BaseException as error:  # noqa: BLE001 - it is the outcome
            outcome = Failure(Faulted(error=shown(error)))
        self._settle(effect, outcome, forget=False)

    def _settle(
        self, effect: _Effect[Id, Result], outcome: Outcome[Result, Faulted], *, forget: bool
    ) -> None:
        """Tell whoever wants to hear of it, once; remember it, or ``forget`` that it was wanted."""
        dropped: list[_Effect[Id, Result]] = []  # let go of after the lock
        with self._lock:
            if effect.outcome is not None or (forget and effect.begun):
                return
            effect.outcome = outcome
            self._unfinished.pop(effect, None)
            if forget:
                dropped.append(effect)
            else:
                self._finished.append(effect)
                while len(self._finished) > self._remembered:
                    dropped.append(self._finished.popleft())
            for each in dropped:
                self._forget(each)
        dropped.clear()
        for then in effect.listeners:
            _tell(then, outcome)
        effect.listeners = []

    def _forget(self, effect: _Effect[Id, Result]) -> None:
        try:
            if self._effects.get(effect.effect) is effect:
                del self._effects[effect.effect]
        except BaseException:  # noqa: BLE001 - of the id's own; it stays, and keeps nobody
            logged("The id of an effect cannot be hashed any more:")


def _tell(
    then: Callable[[Outcome[Result, Faulted]], object], outcome: Outcome[Result, Faulted]
) -> None:
    contained(partial(then, outcome), "Unhandled exception in a listener to an effect:")
