"""The world around a session, as an actor: it can be put back, so the explorer can go through it.

It has what a host has: the view it was shown, the list of inputs, the processes that run. It does
what it is asked, once, and says what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Never, TypeAlias, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors.outs import Announce, Publish, Release
from gapless.actors.runtime import Answer, Next, Outgoing, Ref, StepActor, to
from gapless.messages.answers import CallOutcome
from gapless.messages.effects import SpawnShell, StopShell
from gapless.messages.inputs import EffectDone, Input, ShellExited, Signalled, Spawned
from gapless.messages.inputs.shells import EffectOutcome
from gapless.messages.recorded import Recorded
from gapless.messages.session import SessionMessage, Take
from gapless.typings.evidence import Source
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Failure
from gapless.typings.processes import ProcessIdentity
from gapless.typings.view import SessionView
from tests.support.words import SECOND, SHELL


@final
class Exit(Struct, frozen=True, kw_only=True):
    """A process ends."""

    shell: ManagedId


OutsideMessage: TypeAlias = Publish | Release | Exit


@final
class World(Struct, frozen=True, kw_only=True):
    """What the host sees; ``gone`` are the processes that ran."""

    view: SessionView | None = None
    rows: tuple[Recorded, ...] = ()
    running: tuple[ManagedId, ...] = ()
    gone: tuple[ManagedId, ...] = ()
    done: Mapping[tuple[str, ManagedId], EffectOutcome] = {}


@final
class Outside(StepActor[World, OutsideMessage, Never]):
    """The host and its processes."""

    session: Ref[SessionMessage, Never]

    def __init__(self) -> None:
        super().__init__(World())
        self._callers = {shell: partial(self._came, shell) for shell in (SHELL, SECOND)}

    def on_ask(self, query: Never, /) -> Answer:
        assert_never(query)

    def publish(self, what: Publish, /) -> Outgoing:
        return to(self.me, what)

    def release(self, what: Release, /) -> Outgoing:
        return to(self.me, what)

    def announce(self, what: Announce, /) -> Outgoing:
        return Outgoing(lambda: True, what, "nobody")

    def step(self, state: World, message: OutsideMessage, /) -> Next[World]:
        match message:
            case Publish(row=row, view=view):
                return Next(msgspec.structs.replace(state, view=view, rows=(*state.rows, row)))
            case Release(effect=SpawnShell() | StopShell() as effect):
                return self._do(state, effect)
            case Exit(shell=shell):
                return self._exit(state, shell)
            case _:
                assert_never(message)

    def _do(self, state: World, effect: SpawnShell | StopShell) -> Next[World]:
        """Do it, or say again what came of it."""
        shell, key = effect.shell, (type(effect).__name__, effect.shell)
        outcome = state.done.get(key)
        if outcome is None:
            match effect:
                case SpawnShell():
                    pid = shell.counter
                    process = ProcessIdentity(boot="b", pid=pid, start_ticks=pid)
                    outcome = Spawned(process=process)
                    state = msgspec.structs.replace(state, running=(*state.running, shell))
                case StopShell():
                    outcome = Signalled()
                case _:
                    assert_never(effect)
            state = msgspec.structs.replace(state, done={**state.done, key: outcome})
        done = EffectDone(shell=shell, outcome=outcome)
        return Next(state, (self._take(done, Source.EFFECT),))

    def _exit(self, state: World, shell: ManagedId) -> Next[World]:
        if shell not in state.running:
            return Next(state)
        left = tuple(it for it in state.running if it != shell)
        state = msgspec.structs.replace(state, running=left, gone=(*state.gone, shell))
        return Next(state, (self._insist(shell),))

    def _insist(self, shell: ManagedId) -> Outgoing:
        what, caller = ShellExited(shell=shell, code=0), self._callers[shell]
        return to(self.session, Take(what=what, source=Source.PROCESS, caller=caller))

    def _came(self, shell: ManagedId, outcome: CallOutcome) -> None:
        """Say again that a process is gone if the session failed on that."""
        if isinstance(outcome, Failure):
            self._insist(shell).send()

    def _take(self, what: Input, source: Source) -> Outgoing:
        return to(self.session, Take(what=what, source=source))
