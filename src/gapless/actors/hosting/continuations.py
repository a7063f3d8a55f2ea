"""What a host should run next: the ended shells whose results the agent has not heard of.

A continuation is offered while the lead is idle, nobody is asked anything and no close question
is open. It carries all that is queued. Taking it is an input like any other: the session marks the
notifications active and opens a turn, and the end of that turn settles them. An offer that is not
taken stays, and what ends meanwhile makes a new one.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Final, TypeAlias, final

from gapless.actors.hosting.failures import CallFailure
from gapless.actors.hosting.pending import Pending
from gapless.actors.hosting.processes import Processes
from gapless.actors.hosting.streams import Stream
from gapless.actors.runtime.waiting import Waiter
from gapless.actors.state import SessionState
from gapless.messages.answers import Called
from gapless.typings.ids import ManagedId, name_of
from gapless.typings.lead import TurnOpen
from gapless.typings.outcome import Failure, Outcome, Success
from gapless.typings.phases import Queued
from gapless.typings.shells import ShellRecord

TEXT_BYTES: Final = 8_192
"""How much text a continuation carries, about: what the agent wants to read it reads by path."""

LONGEST_COMMAND: Final = 200
"""How much of a command a text shows, in characters."""

MOST_TOLD: Final = 32
"""How many shells a text tells of one by one."""


@final
class Continuation:
    """One turn to run: which shells ended, and a text for the agent that says how."""

    def __init__(
        self,
        shells: tuple[ManagedId, ...],
        processes: Processes,
        take: Callable[[tuple[ManagedId, ...]], Taking],
    ) -> None:
        self.shells: Final = shells
        self._processes = processes
        self._take = take

    def __repr__(self) -> str:
        return f"<Continuation of {', '.join(map(name_of, self.shells))}>"

    def take(self) -> Taking:
        """Let the turn begin that carries this; tell the session when it has ended.

        The outcome is ``Ignored`` where a turn or a close question came first: it is offered again.
        """
        return self._take(self.shells)

    @property
    def text(self) -> str:
        """What the agent is to hear: of each shell how it ended, where its output is, and its end.

        About 8 KiB at most. The output is quoted line by line: it is data, whatever it says.
        """
        told = self.shells[:MOST_TOLD]
        share = TEXT_BYTES // max(1, len(told))
        parts = [self._told(shell, share) for shell in told]
        if len(told) < len(self.shells):
            rest = self.shells[len(told) :]
            parts.append(f"{len(rest)} more ended: {name_of(rest[0])} to {name_of(rest[-1])}.")
        return "\n\n".join(parts)

    def _told(self, shell: ManagedId, share: int) -> str:
        record = self._processes.record(shell)
        if record is None:
            return f"Background shell {name_of(shell)} ended. Its output is not kept any more."
        head = f"Background shell {name_of(shell)} ({_command(record)}) {_ending(record)}."
        match self._processes.tail(shell, most_bytes=max(4, share - len(head))):
            case Success(output):
                where = f" in {record.log}" if record.log else ""
                lines = "".join(f"\n| {line}" for line in output.text.splitlines())
                shown = f"; the end of it:{lines}" if lines else "."
                return f"{head}\nIt wrote {output.size_bytes} bytes{where}{shown}"
            case Failure():
                return f"{head}\nIts output cannot be read."


Taking: TypeAlias = Pending[Called, CallFailure]
"""What comes of taking a continuation."""


def offered(state: SessionState) -> tuple[ManagedId, ...]:
    """Return the shells that a turn could carry now: none while somebody is at work or asked."""
    busy = isinstance(state.lead.turn, TurnOpen) or state.lead.asks or state.child_asks.asks
    if busy or state.ended is not None or state.desk.gate is not None:
        return ()
    notes = state.ledger.standing.unsettled.items()
    return tuple(
        key for key, phase in notes if isinstance(key, ManagedId) and isinstance(phase, Queued)
    )


@final
class Continuations(Stream[Continuation]):
    """The continuations a host is offered; ``Session.continuations`` makes it.

    One that was read and not taken is offered again with what ended since, or once it was
    out of the question for a while.
    """

    def __init__(
        self, owed_by: Waiter, make: Callable[[tuple[ManagedId, ...]], Continuation]
    ) -> None:
        super().__init__(owed_by)
        self._make = make
        self._offered: tuple[ManagedId, ...] = ()
        self._unread: bool = False

    def put(self, shells: tuple[ManagedId, ...]) -> None:
        """Let the reader have this offer, unless it is the one of before; called by the session."""
        with self._lock:
            if shells == self._offered or self._over:
                return
            self._offered, self._unread = shells, bool(shells)
            waiting = self._rouse() if shells else None
        if waiting is not None:
            waiting.set()

    def take(self) -> Outcome[Continuation, None]:
        """Take the latest offer, once."""
        if not self._unread:
            return Failure(None)
        self._unread = False
        return Success(self._make(self._offered))


def _command(record: ShellRecord) -> str:
    command = shlex.join(record.argv)
    return command if len(command) <= LONGEST_COMMAND else f"{command[:LONGEST_COMMAND]}..."


def _ending(record: ShellRecord) -> str:
    if record.code is None:
        return "ended, nobody saw how"
    if record.code < 0:
        return f"was ended by signal {-record.code}"
    return f"exited with status {record.code}"
