"""Doing in the world what one session wants done: each thing once, and saying what came of it.

An effect is known by its session, by which of the sessions opened under that name it is, and by
what is to be done. So one that is released again is not done again, while another session that
begins alike, with the same name and the same numbers, is no repeat.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Final, TypeAlias, assert_never, final

from gapless.actors.hosting.processes import Processes
from gapless.actors.runtime import EffectRunner, Faulted
from gapless.actors.runtime.limits import shown
from gapless.messages.effects import Effect, SpawnShell, StopShell
from gapless.messages.inputs import (
    Input,
    ShellExited,
    SignalFailed,
    Signalled,
    Spawned,
    SpawnFailed,
)
from gapless.messages.inputs.shells import EffectOutcome
from gapless.typings.evidence import Source
from gapless.typings.ids import ManagedId, SessionId
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.spawning import NoResources, SpawnFault

EffectId: TypeAlias = tuple[SessionId, int, Effect]
"""What is to be done, for which session, and which of those opened under its name."""

Effects: TypeAlias = EffectRunner[EffectId, EffectOutcome]

_OPENINGS: Final = count(1)


@final
class Doing:
    """What one session does in the world; what comes of each effect is handed to ``done``.

    The end of a process is handed to ``insist``, for nobody would say it again; what ended and is
    ``owed`` is not forgotten.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it does, with whom, and whom it tells
        self,
        session: SessionId,
        effects: Effects,
        processes: Processes,
        done: Callable[[Effect, EffectOutcome], object],
        insist: Callable[[Input, Source], object],
        owed: Callable[[ManagedId], bool],
    ) -> None:
        self._session = session
        self._opening = next(_OPENINGS)
        self._effects = effects
        self._processes = processes
        self._done = done
        self._insist = insist
        self._owed = owed
        self._lock = threading.Lock()
        self._unfinished: set[Effect] = set()

    def run(self, effect: Effect) -> None:
        """Have an effect done, unless it is being done.

        One that was done is not done again, but what came of it is told again: that may have been
        lost. Of one that takes its time, in a queue of thousands perhaps, it is told once.
        """
        with self._lock:
            if effect in self._unfinished:
                return
            self._unfinished.add(effect)

        def done(outcome: Outcome[EffectOutcome, Faulted]) -> None:
            with self._lock:
                self._unfinished.discard(effect)
            match outcome:
                case Success(value):
                    pass
                case Failure(fault):
                    value = _failed(effect, fault.error)
                case _:
                    assert_never(outcome)
            self._done(effect, value)

        key = (self._session, self._opening, effect)
        self._effects.run(key, lambda: self._do(effect), done)

    def _do(self, effect: Effect) -> EffectOutcome:
        match effect:
            case SpawnShell(shell=shell):

                def exited(code: int | None) -> None:
                    self._insist(ShellExited(shell=shell, code=code), Source.PROCESS)
                    self._processes.trim(self._owed)

                return _known(effect, self._processes.spawn(effect, exited))
            case StopShell():
                return _known(effect, self._processes.stop(effect))
            case _:
                assert_never(effect)


def _known(effect: Effect, outcome: object) -> EffectOutcome:
    """Return what was done; a host that is not typed may have said anything else."""
    if isinstance(outcome, Spawned | SpawnFailed | Signalled | SignalFailed):
        return outcome
    return _failed(effect, f"it came to {shown(outcome)}")


def _failed(effect: Effect, error: str) -> EffectOutcome:
    match effect:
        case SpawnShell():
            if "can't start new thread" in error:  # what Python says for EAGAIN
                return SpawnFailed(cause=NoResources(reason=error))
            return SpawnFailed(cause=SpawnFault(error=error))
        case StopShell():
            return SignalFailed(error=error)
        case _:
            assert_never(effect)
