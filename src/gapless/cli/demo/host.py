"""The host of the demonstration: it runs the lead, starts its shells, and asks what a host asks."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import assert_never, final

from gapless.actors.hosting import Continuation, Runtime, Session
from gapless.cli.demo.screen import Screen
from gapless.cli.demo.wire import LEAD_SAYS, GoOn, Granted, Happened, HostSays, WantsShell, line
from gapless.cli.timeline import Timeline
from gapless.cli.words import told
from gapless.typings.close import Held, Permitted, Undetermined
from gapless.typings.holds import hold_key
from gapless.typings.ids import InputNumber, ManagedId, name_of
from gapless.typings.lead import TurnClosed
from gapless.typings.outcome import Failure, Success
from gapless.typings.phases import TaskEnded
from gapless.typings.states import Waiting
from gapless.typings.view import SessionView

PATIENCE_S = 60.0
"""How long the story may stand still until something is wrong with it."""


class LeadGoneError(RuntimeError):
    """The story did not go on."""


def demonstrate(screen: Screen, pace: float) -> None:
    """Tell the story on a screen.

    Raises:
        LeadGoneError: it did not come to its end.

    """
    command = [sys.executable, "-m", "gapless.cli.demo.lead", str(pace)]
    with (
        subprocess.Popen(  # noqa: S603 - it is ours; Ctrl-C is for this process, which ends it
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        ) as lead,
        Runtime.start(grace_s=1.0) as runtime,
    ):
        try:
            Host(runtime.open("demo"), lead, screen, pace).run()
        finally:
            lead.terminate()


@final
class Host:
    """Drives one session; what is seen of it comes from its views."""

    def __init__(
        self, session: Session, lead: subprocess.Popen[bytes], screen: Screen, pace: float
    ) -> None:
        self._session = session
        self._lead = lead
        self._screen = screen
        self._pace = pace
        self._began_s = time.monotonic()
        self._lock = threading.Lock()
        self._timeline = Timeline()
        self._shells: list[ManagedId] = []

    def run(self) -> None:
        """Run the lead, show every view, and do what a host does until the session is closed."""
        following = threading.Thread(target=self._seen, args=(self._follow,), daemon=True)
        hearing = threading.Thread(target=self._seen, args=(self._hear,), daemon=True)
        following.start()
        hearing.start()
        self._grant()
        self._is_closed("The host asks at once: may it be closed?")
        self._wait_for(lambda view: isinstance(view.lead, TurnClosed) and not view.children)
        continuations = self._session.continuations()
        while len(self._running()) > 1 or self._owed():
            self._carry(next(continuations))
        self._is_closed("A server runs on behind a lead that is done. May it be closed?")
        self._note("To close would kill the server. The host stops it, and the agent hears of it.")
        self._think(1.0)
        self._session.stop_shell(self._running()[0]).wait().unwrap()
        self._carry(next(continuations))
        if not self._is_closed("Nothing runs and nothing is owed. May it be closed now?"):
            msg = "the session could not be closed"
            raise LeadGoneError(msg)
        following.join(PATIENCE_S)
        self._screen.summary(self._timeline.spells(self._at_s()))

    def _seen(self, show: Callable[[], None]) -> None:
        """Show something as long as somebody reads it; that nobody does the story finds out."""
        with suppress(BrokenPipeError):
            show()

    def _at_s(self) -> float:
        return time.monotonic() - self._began_s

    def _note(self, text: str) -> None:
        with self._lock:
            self._screen.note(text)

    def _think(self, seconds: float) -> None:
        time.sleep(seconds * self._pace)

    def _wait_for(self, predicate: Callable[[SessionView], bool]) -> SessionView:
        outcome = self._session.until(predicate, PATIENCE_S).wait()
        match outcome:
            case Success(view):
                return view
            case Failure(error):
                msg = f"the story stood still: {error}"
                raise LeadGoneError(msg)
            case _:
                assert_never(outcome)

    def _follow(self) -> None:
        """Show each version."""
        for change in self._session.changes():
            if isinstance(change, SessionView):
                with self._lock:
                    state, holds = told(change).state, tuple(map(hold_key, change.holds))
                    self._timeline.add(self._at_s(), state, holds, self._session.why())
                    self._screen.view(self._at_s(), change, self._command)

    def _command(self, name: str) -> str:
        for shell in self._shells:
            record = self._session.shell_record(shell)
            if record is not None and name_of(shell) == name:
                return record.argv[-1]
        return ""

    def _hear(self) -> None:
        """Let the session hear what the lead says, and start the shells that it wants."""
        assert self._lead.stdout is not None  # noqa: S101 - it is a pipe
        for text in self._lead.stdout:
            said = LEAD_SAYS.decode(text)
            match said:
                case Happened(what=what):
                    self._session.tell(what)
                case WantsShell(argv=argv):
                    self._start(argv)
                case _:
                    assert_never(said)

    def _start(self, argv: tuple[str, ...]) -> None:
        match self._session.spawn_shell(*argv).wait():
            case Success(shell):
                self._shells.append(shell)
            case Failure(error):
                self._note(f"A shell could not be started: {error}")

    def _say(self, said: HostSays) -> None:
        assert self._lead.stdin is not None  # noqa: S101 - it is a pipe
        self._lead.stdin.write(line(said))
        self._lead.stdin.flush()

    def _running(self) -> list[ManagedId]:
        return self._managed(ended=False)

    def _owed(self) -> list[ManagedId]:
        """Return the shells that ended and whose result the agent has not heard of."""
        return self._managed(ended=True)

    def _managed(self, *, ended: bool) -> list[ManagedId]:
        shells = self._session.view.shells
        keys = (it.key for it in shells if isinstance(it.phase, TaskEnded) is ended)
        return [it for it in keys if isinstance(it, ManagedId)]

    def _grant(self) -> None:
        """Let a person say yes to what the agent asks."""
        self._wait_for(lambda view: isinstance(view.state, Waiting))
        self._note("The agent asks a person: may it push?")
        self._think(2.0)
        self._note("The person says yes.")
        self._say(Granted())
        self._wait_for(lambda view: isinstance(view.lead, TurnClosed))

    def _carry(self, continuation: Continuation) -> None:
        """Let the agent hear of what ended, in a turn of its own."""
        self._think(0.8)
        outcome = continuation.take().wait()
        match outcome:
            case Success(taken):
                names = ", ".join(map(name_of, continuation.shells))
                self._note(f"The host continues the agent with the results of {names}.")
                self._say(GoOn(text=continuation.text))
                self._wait_for(lambda view: _ended_after(view, taken.number))
            case Failure(error):  # it is offered again
                self._note(f"The results cannot be carried now: {error}")
            case _:
                assert_never(outcome)

    def _is_closed(self, question: str) -> bool:
        """Ask whether it may be closed, and close it if so."""
        self._think(0.8)
        self._note(question)
        outcome = self._session.ask_close().wait()
        match outcome:
            case Success(answer):
                pass
            case Failure(error):
                msg = f"the question was not answered: {error}"
                raise LeadGoneError(msg)
            case _:
                assert_never(outcome)
        match answer:
            case Permitted(permit=permit):
                self._note("Yes.")
                return isinstance(self._session.close(permit).wait(), Success)
            case Held(holds=holds):
                held = ", ".join(": ".join(hold_key(hold)) for hold in holds)
                self._note(f"No. Closing it now would lose {held}.")
                return False
            case Undetermined(doubts=doubts):
                self._note(f"Nobody can know: {doubts}")
                return False
            case _:
                assert_never(answer)


def _ended_after(view: SessionView, number: InputNumber) -> bool:
    return isinstance(view.lead, TurnClosed) and view.lead.by.number > number
