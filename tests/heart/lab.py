"""A heart on the stepped dispatcher: a test chooses who goes next, what fails, and when it is."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Never, TypeAlias, TypeVar, final

from gapless.actors.fold import Whole, advance
from gapless.actors.heart import spawn_heart
from gapless.actors.outs import Announce, Publish, Release
from gapless.actors.runtime import (
    ActorSystem,
    ManualClock,
    Next,
    Outgoing,
    StepActor,
    SteppedDispatcher,
)
from gapless.actors.runtime.dispatch import Runnable
from gapless.messages.answers import CallOutcome
from gapless.messages.effects import Effect
from gapless.messages.inputs import Input
from gapless.messages.recorded import Recorded
from gapless.messages.session import Take
from gapless.typings.edges import Edge
from gapless.typings.evidence import Source
from gapless.typings.reading import read
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.view import SessionView

State = TypeVar("State")
Message = TypeVar("Message")
Late: TypeAlias = Callable[[Outgoing], object]


class Broken(BaseException):
    """What a handler raises that is made to fail."""


class Break(Enum):
    """A fault that a test can cause."""

    RAISES_ONCE = auto()
    RAISES_TWICE = auto()
    DELAYS_OUTBOX = auto()
    REPEATS = auto()


def _break(actor: StepActor[State, Message, Never], fault: Break, late: Late) -> None:
    whole = actor.step
    raises = {Break.RAISES_ONCE: 1, Break.RAISES_TWICE: 2}.get(fault, 0)

    def step(state: State, message: Message, /) -> Next[State]:
        nonlocal raises
        if raises:
            raises -= 1
            if not raises:
                vars(actor).pop("step")
            raise Broken
        vars(actor).pop("step")
        following = whole(state, message)
        if fault is Break.REPEATS:
            actor.mailbox.post_fact(message)
        if fault is not Break.DELAYS_OUTBOX:
            return following
        for outgoing in following.outbox:
            late(outgoing)
        return Next(following.state)

    if "step" not in vars(actor):
        setattr(actor, "step", step)  # noqa: B010


@final
class Lab:
    """One session; what it publishes is checked against the fold of its list."""

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings = settings
        self.clock = ManualClock()
        self.dispatcher = SteppedDispatcher()
        self.system = ActorSystem(self.dispatcher, self.clock)
        self.rows: list[Recorded] = []
        self.views: list[SessionView] = []
        self.effects: list[Effect] = []
        self.edges: list[Edge] = []
        self.heard: list[CallOutcome] = []
        self.late: list[tuple[Runnable, Outgoing]] = []
        self.told = 0
        heart = self.heart = spawn_heart(self.system, self, settings)
        self.opened: SessionView = heart.session.state.view
        self._break: dict[Runnable, Callable[[Break, Late], None]] = {
            heart.session.mailbox: partial(_break, heart.session),
            heart.lead.mailbox: partial(_break, heart.lead),
            heart.roster.mailbox: partial(_break, heart.roster),
            heart.registry.mailbox: partial(_break, heart.registry),
            heart.drain.mailbox: partial(_break, heart.drain),
        }

    def publish(self, what: Publish, /) -> Outgoing:
        def show() -> bool:
            self.rows.append(what.row)
            self.views.append(what.view)
            return True

        return Outgoing(show, what, "the test")

    def release(self, what: Release, /) -> Outgoing:
        def note() -> bool:
            self.effects.append(what.effect)
            return True

        return Outgoing(note, what, "the test")

    def announce(self, what: Announce, /) -> Outgoing:
        def note() -> bool:
            self.edges.append(what.edge)
            return True

        return Outgoing(note, what, "the test")

    @property
    def view(self) -> SessionView:
        return self.views[-1]

    def tell(self, *inputs: Input, source: Source = Source.HOOK) -> None:
        for what in inputs:
            self.told += 1
            take = Take(what=what, source=source, caller=self.heard.append)
            self.heart.ref.tell(take)

    def break_next(self, mailbox: Runnable, fault: Break) -> None:
        """Let the next message of one actor meet with a fault."""
        self._break[mailbox](fault, lambda it: self.late.append((mailbox, it)))

    def waits_for_nothing(self) -> bool:
        """Whether everybody who told something has heard what came of it, or asks still."""
        return len(self.heard) + len(self.heart.session.state.asking) == self.told

    def send_late(self, sender: Runnable | None = None) -> bool:
        """Send what was delayed, of one actor or of all; whether there was anything."""
        late = [it for it in self.late if sender is None or it[0] is sender]
        self.late = [it for it in self.late if it not in late]
        for _, outgoing in late:
            outgoing.send()
        return bool(late)

    def settle(
        self,
        pick: Callable[[tuple[Runnable, ...]], Runnable] = lambda ready: ready[0],
        before: Callable[[Runnable], object] = lambda _: None,
    ) -> None:
        """Step until nobody has work; a part that is not answered then is overdue."""
        for _ in range(10_000):
            while ready := self.dispatcher.ready:
                chosen = pick(ready)
                before(chosen)
                self.send_late(chosen)
                self.dispatcher.step(chosen)
            if self.send_late():
                continue
            if self.heart.session.state.flight is None:
                return
            self.clock.advance(self.settings.part_timeout_ms)
            self.system.timers.fire_due()
        msg = "it does not settle"
        raise AssertionError(msg)

    def until(self, at_ms: int) -> None:
        """Let time pass, each timer ringing when it is due."""
        self.settle()
        while (due := self.system.timers.next_due_ms()) is not None and due <= at_ms:
            self.clock.advance(max(0, due - self.clock.now_ms()))
            self.system.timers.fire_due()
            self.settle()
        self.clock.advance(max(0, at_ms - self.clock.now_ms()))

    def check(self, *, exactly: bool = True) -> None:
        """Compare every published view, or what it says, with the fold of the list up to it."""
        whole = Whole()
        for row, view in zip(self.rows, self.views, strict=True):
            done = advance(whole, row, self.settings)
            whole = done.whole
            assert view == done.view or not exactly, row
            assert read(view) == read(done.view), row
