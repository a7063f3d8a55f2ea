"""What must hold in every state that a session can reach: G1 to G10, from the host's own record.

A scenario is a prelude in one fixed order and a race: what may happen then, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias

from gapless.actors.fold import Whole, advance
from gapless.actors.heart import Heart, spawn_heart
from gapless.actors.lead import LeadState
from gapless.actors.outs import Publish, Release
from gapless.actors.runtime import ActorSystem
from gapless.messages.answers import Ignored
from gapless.messages.inputs import (
    Boundary,
    ContinuationTaken,
    ConversationStarted,
    EffectDone,
    Input,
    NotificationDiscarded,
    NotificationSettled,
    ShellExited,
    TurnEnded,
    TurnInterrupted,
)
from gapless.messages.recorded import Recorded
from gapless.messages.session import Take
from gapless.testing import Move, Scenario
from gapless.typings.close import Closable
from gapless.typings.evidence import Source
from gapless.typings.holds import ShellHold
from gapless.typings.ids import ManagedId, ReportedId
from gapless.typings.lead import TurnOpen
from gapless.typings.phases import TaskEnded
from gapless.typings.settings import DEFAULTS
from gapless.typings.states import Ended, Waiting, Working
from gapless.typings.view import SessionView
from tests.heart.outside import Exit, Outside, World

Event: TypeAlias = Input | Exit


class Folded(NamedTuple):
    """The fold of a list, and which of its rows were looked at, as their callers are told."""

    whole: Whole
    view: SessionView | None
    heeded: tuple[Recorded, ...]


class HeartScenario(Scenario):
    """One session and its world."""

    before: ClassVar[Sequence[Event]] = ()
    race: ClassVar[Mapping[str, Event]] = {}

    def begin(self, system: ActorSystem) -> None:
        self.outside = Outside()
        self.out = system.spawn(lambda: self.outside)
        self.heart: Heart = spawn_heart(system, self.outside, DEFAULTS)
        self.outside.session = self.heart.ref
        self._folds: dict[tuple[Recorded, ...], Folded] = {}

    def prelude(self) -> Sequence[Callable[[], object]]:
        return [partial(self._tell, what) for what in self.before]

    def _tell(self, what: Event) -> object:
        if isinstance(what, Exit):
            return self.out.tell(what)
        return self.heart.ref.tell(Take(what=what, source=Source.HOOK))

    def moves(self) -> Sequence[Move]:
        return [Move(name, partial(self._tell, what)) for name, what in self.race.items()]

    def time_passes(self) -> bool:
        """Time passes while the session waits for its owners or for the world; no lease ends."""
        state = self.heart.session.state
        return state.flight is not None or bool(state.released)

    def losable(self, message: object, /) -> bool:
        return isinstance(message, Take) and isinstance(message.what, EffectDone)

    def can_fail(self, message: object, /) -> bool:
        return not isinstance(message, Publish | Release | Exit)

    def check(self) -> None:
        world = self.outside.state
        if world.view is None:
            assert not world.running, "G1a: a process before any view"
            return
        folded = self._fold(world.rows)
        assert world.view == folded.view, "G5: the view is not the fold of its prefix"
        _check_close(world, world.view)
        if isinstance(world.view.state, Ended):
            return
        for shell in (*world.running, *world.gone):
            if shell in world.running or _owed(folded.heeded, shell):
                assert _holds(world.view), f"G1a: {shell} is owed, and no hold is shown"
                assert self._kept(shell), f"G1b: {shell} is owed, and no owner has it"

    def check_at_rest(self) -> None:
        world, state = self.outside.state, self.heart.session.state
        assert state.flight is None, "an input never ended"
        assert not state.line, "an input never began"
        assert not state.released, "an effect was forgotten"
        assert not state.session.lost, "what was lost was not resent"
        view = world.view
        assert view is not None
        reported = any(isinstance(it.key, ReportedId) for it in view.shells)
        if reported or isinstance(view.state, Ended):
            return
        heeded = self._fold(world.rows).heeded
        owed = [it for it in world.gone if _owed(heeded, it)]
        assert _holds(view) is bool(owed or world.running), "G2: it holds as long as it is owed"

    def _fold(self, rows: tuple[Recorded, ...]) -> Folded:
        known = self._folds.get(rows)
        if known is None:
            *earlier, row = rows
            before = self._fold(tuple(earlier)) if earlier else Folded(Whole(), None, ())
            done = advance(before.whole, row)
            ignored = any(isinstance(it, Ignored) for it in done.answers)
            heeded = before.heeded if ignored else (*before.heeded, row)
            known = self._folds[rows] = Folded(done.whole, done.view, heeded)
        return known

    def _kept(self, shell: ManagedId) -> bool:
        """Whether one of the owners still shows this shell or its notification."""
        managed = self.heart.registry.state.state.managed.get(shell)
        if managed is not None and not isinstance(managed.phase, TaskEnded):
            return True
        if shell in self.heart.drain.state.state.notes:
            return True
        lead: LeadState = self.heart.lead.state.state
        return isinstance(lead.turn, TurnOpen) and shell in lead.turn.carries


def _holds(view: SessionView) -> bool:
    return any(isinstance(it, ShellHold) for it in view.holds)


def _check_close(world: World, view: SessionView) -> None:
    active = isinstance(view.state, Working | Waiting)
    assert not (active and isinstance(view.close, Closable)), "G10: closable while active"
    if isinstance(view.close, Closable):
        assert not world.running, "G6: closable although a process runs"


def _owed(rows: tuple[Recorded, ...], shell: ManagedId) -> bool:
    """Whether the host knows of nothing that settled the notification of this shell.

    An input counts from its row on; one that was torn, or void, need not have settled anything.
    """
    carried = ended = False
    for row in rows:
        match row.what:
            case ShellExited(shell=gone):
                ended = ended or gone == shell
            case ContinuationTaken(keys=keys):
                carried = carried or shell in keys
            case NotificationSettled(key=key) | NotificationDiscarded(key=key):
                if key == shell:
                    return False
            case TurnEnded() | TurnInterrupted():
                if carried:
                    return False
            case ConversationStarted(how=how):
                if how is not Boundary.COMPACT and ended:
                    return False  # what ends later is owed to the new conversation
            case _:
                pass
    return True
