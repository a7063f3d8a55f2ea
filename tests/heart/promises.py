"""What must hold in every state that a session can reach: G1 to G10, from the host's own record.

Two need no check here. G3, no work without a reason, cannot be written down. G9, the giver keeps
until the taker has, is what G1b asks of the owners.

A scenario is a prelude in one fixed order and a race: what may happen then, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias

from gapless.actors.fold import Whole, advance
from gapless.actors.heart import Heart, spawn_heart
from gapless.actors.outs import Publish, Release
from gapless.actors.runtime import ActorSystem
from gapless.actors.turn import LeadState
from gapless.messages.answers import Ignored, QuestionAnswered
from gapless.messages.inputs import CloseAsked, EffectDone, Input, ResyncAsked
from gapless.messages.recorded import Recorded
from gapless.messages.session import Take
from gapless.testing import Move, Scenario
from gapless.typings.close import Closable
from gapless.typings.evidence import Source
from gapless.typings.holds import ShellHold
from gapless.typings.ids import ManagedId, QuestionId, ReportedId
from gapless.typings.lead import TurnClosed, TurnOpen
from gapless.typings.phases import HowSettled, Settled, TaskEnded
from gapless.typings.settings import DEFAULTS
from gapless.typings.states import ContinuationOwed, EndCause, Ended, Waiting, Working
from gapless.typings.view import SessionView
from tests.heart.outside import Exit, Outside, World
from tests.heart.record import of_a_child, outdated, settled_by

Event: TypeAlias = Input | Exit


class Folded(NamedTuple):
    """The fold of a list, what was heard of it, what changed anything, and what was answered."""

    whole: Whole = Whole()
    view: SessionView | None = None
    heard: tuple[Recorded, ...] = ()
    heeded: tuple[Recorded, ...] = ()
    answered: tuple[QuestionId, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether nothing is in doubt for having been lost."""
        return not self.whole.session.lost

    def settled_by(self, shell: ManagedId) -> HowSettled | None:
        """Return what settled the notification of a shell, by the host's record."""
        return settled_by(self.heard, self.heeded, shell)


class HeartScenario(Scenario):
    """One session and its world."""

    before: ClassVar[Sequence[Event]] = ()
    race: ClassVar[Mapping[str, Event]] = {}
    after: ClassVar[Mapping[str, tuple[str, ...]]] = {}

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
        return [
            Move(name, partial(self._tell, what), after=self.after.get(name, ()))
            for name, what in self.race.items()
        ]

    def time_passes(self) -> bool:
        """Time passes while the session waits for its owners or for the world; no lease ends."""
        state = self.heart.session.state
        return state.flight is not None or bool(state.released)

    def losable(self, message: object, /) -> bool:
        return isinstance(message, Take) and isinstance(message.what, EffectDone)

    def can_fail(self, message: object, /) -> bool:
        return not isinstance(message, Publish | Release | Exit)

    def expect(self, view: SessionView, folded: Folded) -> None:
        """Check in every state what this race is there for, besides the promises."""

    def expect_at_rest(self, view: SessionView, folded: Folded) -> None:
        """Check once nothing is left to happen what this race is there for."""

    def check(self) -> None:
        world = self.outside.state
        if world.view is None:
            assert not world.running, "G1a: a process before any view"
            return
        folded = self._fold(world.rows)
        assert world.view == folded.view, "G5: the view is not the fold of its prefix"
        _check_close(world, world.view)
        _check_resync(world.rows)
        if isinstance(world.view.state, Ended):
            self._check_closed(world, world.view.state)
            return
        settled = {shell: folded.settled_by(shell) for shell in world.gone}
        owed = [*world.running, *(shell for shell, how in settled.items() if how is None)]
        for shell in owed:
            self._check_owed(world.view, shell)
        for shell, how in settled.items():
            _check_settled(world.view, shell, how)
        grant = folded.whole.session.desk.grant
        assert not owed or grant is None or grant.stale, "G6: a permit while a shell is owed"
        self.expect(world.view, folded)

    def _check_owed(self, view: SessionView, shell: ManagedId) -> None:
        assert _holds(view), f"G1a: {shell} is owed, and no hold is shown"
        assert _shown(view, shell), f"G1a: {shell} is owed, and the view says that it is over"
        assert self._kept(shell), f"G1b: {shell} is owed, and no owner has it"

    def _check_closed(self, world: World, state: Ended) -> None:
        closed = next(it for it in world.rows if _ends(self._fold(_upto(world.rows, it)).view))
        before = self._fold(_upto(world.rows, closed)[:-1]).view
        if state.cause is EndCause.CLOSED:
            assert before is not None
            assert isinstance(before.close, Closable), "G6: closed although it was not closable"
            rows = _upto(world.rows, closed)
            assert not outdated(rows), "G6: closed by a permit of an earlier version"

    def check_at_rest(self) -> None:
        world, state = self.outside.state, self.heart.session.state
        assert state.flight is None, "an input never ended"
        assert not state.line, "an input never began"
        assert not state.released, "an effect was forgotten"
        assert not state.session.lost, "what was lost was not resent"
        view = world.view
        assert view is not None
        if isinstance(view.state, Ended):
            return
        assert not _waits(view) or state.ring_ms is not None, "G7: it waits without a lease"
        assert state.session.desk.gate is None or state.ring_ms is not None, "G7: a gate for ever"
        folded = self._fold(world.rows)
        _check_questions(folded)
        self.expect_at_rest(view, folded)
        if any(isinstance(it.key, ReportedId) for it in view.shells):
            return
        owed = [it for it in world.gone if folded.settled_by(it) is None]
        assert _holds(view) is bool(owed or world.running), "G2: it holds as long as it is owed"

    def _fold(self, rows: tuple[Recorded, ...]) -> Folded:
        known = self._folds.get(rows)
        if known is None:
            *earlier, row = rows
            before = self._fold(tuple(earlier)) if earlier else Folded()
            done = advance(before.whole, row)
            turns = before.whole.lead.turn, done.whole.lead.turn
            assert not of_a_child(row) or turns[0] == turns[1], "G4: a child moved the lead's turn"
            ignored = any(isinstance(it, Ignored) for it in done.answers)
            heard = before.heard if row.void else (*before.heard, row)
            heeded = before.heeded if ignored else (*before.heeded, row)
            answers = (it for it in done.answers if isinstance(it, QuestionAnswered))
            answered = (*before.answered, *(it.question for it in answers))
            known = self._folds[rows] = Folded(done.whole, done.view, heard, heeded, answered)
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


def _shown(view: SessionView, shell: ManagedId) -> bool:
    """Whether one reads that this shell runs, or that its notification is to come."""
    seen = next((it for it in view.shells if it.key == shell), None)
    if seen is None:
        return False
    over = isinstance(seen.phase, TaskEnded) and isinstance(seen.notification, Settled)
    return not over


def _check_settled(view: SessionView, shell: ManagedId, how: HowSettled | None) -> None:
    """Once settled, it stays as the host settled it."""
    seen = next((it.notification for it in view.shells if it.key == shell), None)
    if how is not None and isinstance(seen, Settled):
        assert seen.how is how, f"G8: settled as {seen.how}, and it was {how}"


def _check_resync(rows: tuple[Recorded, ...]) -> None:
    torn = rows[-2:-1] and rows[-2].lost and not rows[-2].void
    asked = isinstance(rows[-1].what, ResyncAsked)
    assert asked or not torn, "what was lost was not asked for at once"


def _check_questions(folded: Folded) -> None:
    gate = folded.whole.session.desk.gate
    open_still = [] if gate is None else [gate.question]
    asked = [it.what.question for it in folded.heeded if isinstance(it.what, CloseAsked)]
    told = sorted([*folded.answered, *open_still])
    assert told == sorted(asked), f"of the questions {asked} these are answered or open: {told}"


def _waits(view: SessionView) -> bool:
    """Whether it works for something that may never come, apart from an open turn and a person."""
    if not isinstance(view.state, Working):
        return False
    owes = any(isinstance(it, ContinuationOwed) for it in view.state.reasons)
    return owes and isinstance(view.lead, TurnClosed)


def _upto(rows: tuple[Recorded, ...], last: Recorded) -> tuple[Recorded, ...]:
    return rows[: rows.index(last) + 1]


def _ends(view: SessionView | None) -> bool:
    return view is not None and isinstance(view.state, Ended)
