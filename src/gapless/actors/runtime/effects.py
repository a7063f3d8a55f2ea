"""Run effects, each once: idempotent by id, and outliving the actors that wanted them.

An actor that failed and was asked again wants its effect again. The runner then does not do it
twice: a running one gets another listener, a finished one answers with what it came to.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar, final

from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.outcomes import Faulted
from gapless.typings.outcome import Failure, Outcome, Success

_log: Final = logging.getLogger("pykka")

Id = TypeVar("Id")
Result = TypeVar("Result")


@final
class EffectRunner(Generic[Id, Result]):
    """Does work off the dispatcher's thread and says what it came to.

    ``remembered`` is how many finished ids answer a repeat; older ones are forgotten.
    """

    def __init__(self, threads: int = 4, remembered: int = 10_000) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="gapless-effect")
        self._remembered = remembered
        self._lock = threading.Lock()
        self._running: dict[Id, list[Callable[[Outcome[Result, Faulted]], object]]] = {}
        self._finished: dict[Id, Outcome[Result, Faulted]] = {}
        self._refused: Outcome[Result, Faulted] | None = None

    def run(
        self,
        effect: Id,
        work: Callable[[], Result],
        then: Callable[[Outcome[Result, Faulted]], object],
    ) -> None:
        """Do ``work`` unless ``effect`` was or is being done, and tell ``then`` what it came to."""
        with self._lock:
            finished = self._finished.get(effect) or self._refused
            if finished is None:
                listeners = self._running.setdefault(effect, [])
                listeners.append(then)
                if len(listeners) == 1:
                    self._pool.submit(self._work, effect, work)
        if finished is not None:
            _tell(then, finished)

    def close(self) -> None:
        """Wait for what runs; what has not begun, or comes later, fails."""
        refused: Outcome[Result, Faulted] = Failure(Faulted(error="the runner is closed"))
        with self._lock:
            self._refused = refused
        self._pool.shutdown(cancel_futures=True)
        with self._lock:
            waiting = [then for listeners in self._running.values() for then in listeners]
            self._running.clear()
        for then in waiting:
            _tell(then, refused)

    def _work(self, effect: Id, work: Callable[[], Result]) -> None:
        outcome: Outcome[Result, Faulted]
        try:
            outcome = Success(work())
        except BaseException as error:  # noqa: BLE001 - it is the outcome
            outcome = Failure(Faulted(error=shown(error)))
        with self._lock:
            self._finished[effect] = outcome
            while len(self._finished) > self._remembered:
                del self._finished[next(iter(self._finished))]
            listeners = self._running.pop(effect)
        for then in listeners:
            _tell(then, outcome)


def _tell(
    then: Callable[[Outcome[Result, Faulted]], object], outcome: Outcome[Result, Faulted]
) -> None:
    try:
        then(outcome)
    except BaseException:  # noqa: BLE001 - logged; the others are told
        _log.exception("Unhandled exception in a listener to an effect:")
