"""Let the real actors live a recording, on a virtual clock and the stepped dispatcher.

Time is that of the lines. Before a line is taken the clock goes to its time, and each timer that is
due by then rings at its own, in order. What a session wants done in the world is not done:
what came of it then stands in the recording.
"""

from __future__ import annotations

from typing import Final, final

from gapless.actors.heart import spawn_heart
from gapless.actors.outs import Announce, Publish, Release
from gapless.actors.runtime import ActorSystem, ManualClock, Outgoing, SteppedDispatcher
from gapless.actors.why import why
from gapless.messages.session import Take
from gapless.recordings.answers import Answered, compare, members
from gapless.recordings.inputs import Read, Reader, Said
from gapless.recordings.lines import Line, NotUnderstood
from gapless.typings.edges import EdgeKind
from gapless.typings.ids import NO_INPUT, TaskKey, name_of
from gapless.typings.reading import read
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.view import SessionView
from gapless.typings.why import Claim


@final
class Playback:
    """One session of a recording, and what it published last."""

    def __init__(self, system: ActorSystem, settings: Settings) -> None:
        self.reader: Final[Reader] = Reader()
        self._settings = settings
        self._edges: list[EdgeKind] = []
        self._heart = spawn_heart(system, self, settings)
        self.view: SessionView = self._heart.session.state.view

    def publish(self, what: Publish, /) -> Outgoing:
        """Show a view."""

        def show() -> bool:
            self.view = what.view
            return True

        return Outgoing(show, what, "the recording")

    def release(self, what: Release, /) -> Outgoing:
        """Do nothing: what came of it is recorded."""
        return Outgoing(lambda: True, what, "the recording")

    def announce(self, what: Announce, /) -> Outgoing:
        """Note what a person would be told."""

        def note() -> bool:
            self._edges.append(what.edge.kind)
            return True

        return Outgoing(note, what, "the recording")

    def take(self, said: Said) -> None:
        """Tell the session."""
        take = Take(what=said.what, source=said.source, provenance=said.provenance)
        self._heart.ref.tell(take)

    def key(self, name: str) -> TaskKey | None:
        """Return the task that a person knows by this name."""
        ledger = self._heart.session.state.session.ledger
        return next((key for key in (*ledger.notes, *ledger.tasks) if name_of(key) == name), None)

    def edges(self) -> tuple[EdgeKind, ...]:
        """Return what a person was told since this was asked last."""
        edges, self._edges = tuple(self._edges), []
        return edges

    def why(self) -> tuple[Claim, ...]:
        """Return why."""
        return why(self._heart.session.state.session, self._settings)


@final
class Player:
    """Plays the lines of one recording, one after the other.

    ``because`` asks every session why, after every line; without it, only where an answer is
    not the expected one.
    """

    def __init__(self, settings: Settings = DEFAULTS, *, because: bool = False) -> None:
        self._settings = settings
        self._because = because
        self._clock = ManualClock()
        self._dispatcher = SteppedDispatcher()
        self._system = ActorSystem(self._dispatcher, self._clock)
        self.sessions: dict[str, Playback] = {}

    def play(self, line: Line | NotUnderstood) -> Answered:
        """Live one line, and return what the session then is.

        Raises:
            ValueError: its clock is behind the one of the line before.

        """
        self._until(line.at_ms)
        name = line.session
        if name is None and len(self.sessions) == 1:
            name = next(iter(self.sessions))
        if isinstance(line, NotUnderstood):
            return self._answered(line, name, Read((), "?", line.reason))
        if line.session is not None and line.session not in self.sessions:
            self.sessions[line.session] = Playback(self._system, self._settings)
        playback = self.sessions.get(name or "")
        if playback is None:
            return self._answered(line, None, Read((), ""))
        told = playback.reader.read(line, playback.key)
        for said in told.inputs:
            playback.take(said)
            self._dispatcher.run()
        return self._answered(line, name, told)

    def _until(self, at_ms: int) -> None:
        if at_ms < self._clock.now_ms():
            msg = f"the clock goes back, from {self._clock.now_ms():,} ms to {at_ms:,} ms"
            raise ValueError(msg)
        timers = self._system.timers
        while (due := timers.next_due_ms()) is not None and due <= at_ms:
            self._clock.advance(max(0, due - self._clock.now_ms()))
            timers.fire_due()
            self._dispatcher.run()
        self._clock.advance(at_ms - self._clock.now_ms())

    def _answered(self, line: Line | NotUnderstood, name: str | None, told: Read) -> Answered:
        playback = self.sessions.get(name or "")
        answer = None if playback is None else read(playback.view)
        edges = () if playback is None else playback.edges()
        expected = line.expect if isinstance(line, Line) else {}
        differences = compare(members(answer, edges), expected)
        asked = playback is not None and (self._because or differences)
        return Answered(
            at_ms=line.at_ms,
            session=name,
            said=told.words,
            answer=answer,
            edges=edges,
            upto=NO_INPUT if playback is None else playback.view.upto,
            trouble=() if told.trouble is None else (told.trouble,),
            because=playback.why() if playback is not None and asked else (),
            differences=differences,
        )
