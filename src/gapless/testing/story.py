"""Write down what happens to a session, on a virtual clock, and read its views.

A story numbers its inputs, lets the session's alarms ring when they are due, and feeds back
what the session itself wants next (close rounds, resyncs), as a runtime does. Its ``rows`` are
the complete list: folding them again gives the same views.
"""

from __future__ import annotations

from typing import final

from gapless.actors.fold import Advanced, Whole, advance
from gapless.actors.projection import project
from gapless.actors.why import why
from gapless.messages.answers import Answer
from gapless.messages.effects import Effect
from gapless.messages.inputs import Input, TimerFired
from gapless.messages.recorded import Recorded
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import InputNumber, OwnerName
from gapless.typings.reading import Reading, read
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.view import SessionView
from gapless.typings.why import Claim


@final
class Story:
    """One session's list of inputs as it is written.

    >>> from gapless.messages.inputs import PromptSubmitted
    >>> story = Story()
    >>> story.at(0, PromptSubmitted())
    >>> story.reading().state
    'working'
    """

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings: Settings = settings
        self.rows: list[Recorded] = []
        self.readings: list[Reading] = []
        self.answers: list[Answer] = []
        self.effects: list[Effect] = []
        self.now_ms: int = 0
        self._whole = Whole()
        self.view: SessionView = project(self._whole.session, settings)

    def reading(self) -> Reading:
        """Return the current view in words."""
        return read(self.view)

    @property
    def whole(self) -> Whole:
        """All that was folded so far."""
        return self._whole

    def at(
        self,
        at_ms: int,
        *inputs: Input,
        source: Source = Source.HOOK,
        provenance: Provenance = Provenance.LIVE,
        lost: tuple[OwnerName, ...] = (),
        void: bool = False,
    ) -> None:
        """Let the clock go to ``at_ms``, ringing what is due by then, and take the inputs."""
        self._ring(at_ms)
        self.now_ms = max(self.now_ms, at_ms)
        for what in inputs:
            self._take(what, source, provenance, lost, void=void)

    def jump(self, at_ms: int, *inputs: Input) -> None:
        """Let the clock jump to ``at_ms``, as when the machine slept: no alarm rang meanwhile."""
        self.now_ms = at_ms
        for what in inputs:
            self._take(what, Source.HOOK)

    def why(self) -> tuple[Claim, ...]:
        """Return the reasons of the current view."""
        return why(self._whole.session, self.settings)

    def _ring(self, until_ms: int) -> None:
        skipped = self._whole.session.clock.skipped_ms
        due = self.view.next_wake_ms
        while due is not None and due + skipped <= until_ms:
            self.now_ms = max(self.now_ms, due + skipped)
            rung = self._take(TimerFired(due_ms=due), Source.TIMER)
            if rung.next_wake_ms is not None and rung.next_wake_ms <= rung.at_ms:
                msg = f"the alarm of {due} ms rang and its deadline is still there"
                raise AssertionError(msg)
            due = rung.next_wake_ms

    def _take(
        self,
        what: Input,
        source: Source,
        provenance: Provenance = Provenance.LIVE,
        lost: tuple[OwnerName, ...] = (),
        *,
        void: bool = False,
    ) -> SessionView:
        row = Recorded(
            number=InputNumber(len(self.rows) + 1),
            at_ms=self.now_ms,
            source=source,
            what=what,
            provenance=provenance,
            lost=lost,
            void=void,
        )
        done: Advanced = advance(self._whole, row, self.settings)
        self._whole, self.view = done.whole, done.view
        self.rows.append(row)
        self.readings.append(read(done.view))
        self.answers.extend(done.answers)
        self.effects.extend(done.effects)
        for wanted in done.wants:
            self._take(wanted, Source.SESSION)
        return self.view
