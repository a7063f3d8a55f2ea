"""A coding agent without a model: it says what it does, on its standard output.

Run by the demonstration as ``python -m gapless.cli.demo.lead PACE``; it ends with its input.
"""

from __future__ import annotations

import sys
import time
from typing import assert_never, final

from gapless.cli.demo.wire import HOST_SAYS, GoOn, Granted, Happened, HostSays, WantsShell, line
from gapless.messages.inputs import (
    AskAnswered,
    AskKind,
    AskRaised,
    CallEnded,
    CallStarted,
    HarnessInput,
    Launch,
    PromptSubmitted,
    TaskFinished,
    TaskStarted,
    TurnEnded,
)
from gapless.typings.ids import CallId, TaskId
from gapless.typings.phases import TaskKind
from gapless.typings.states import Completed

REVIEW = TaskId("review")
PUSH = CallId("push")


@final
class Lead:
    """The agent: what it does next, and how long that takes."""

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._calls = 0

    def works(self, seconds: float) -> None:
        """Be busy for so long, at pace 1."""
        time.sleep(seconds * self._pace)

    def says(self, *inputs: HarnessInput) -> None:
        """Say what happened, as a hook does."""
        for what in inputs:
            sys.stdout.buffer.write(line(Happened(what=what)))
        sys.stdout.buffer.flush()

    def starts(self, script: str) -> None:
        """Start a background shell, as a call of a tool that returns at once."""
        self._calls += 1
        call = CallId(f"k{self._calls}")
        self.says(CallStarted(call=call, tool="Bash"))
        sys.stdout.buffer.write(line(WantsShell(argv=("sh", "-c", script))))
        self.works(0.3)
        self.says(CallEnded(call=call, tool="Bash"))

    def begins(self) -> None:
        """Begin: a prompt, three shells, a child, and a permission to be asked for."""
        self.says(PromptSubmitted())
        self.works(0.7)
        tick = 0.9 * self._pace
        self.starts(f"for n in 1 2 3 4 5; do echo test $n of 5: ok; sleep {tick}; done")
        self.starts(f"echo compiling; sleep {3 * tick}; echo 'error: no such module' >&2; exit 2")
        self.starts("echo 'serving on port 8080'; exec sleep 3600")
        self.says(TaskStarted(task=REVIEW, kind=TaskKind.AGENT, launch=Launch.BACKGROUND))
        self.works(0.5)
        self.says(CallStarted(call=PUSH, tool="Bash"))
        self.says(AskRaised(call=PUSH, tool="Bash", kind=AskKind.PERMISSION))

    def is_granted(self) -> None:
        """End the turn; the child goes on, and is over a while later."""
        self.says(AskAnswered(call=PUSH))
        self.works(0.5)
        self.says(CallEnded(call=PUSH, tool="Bash"), TurnEnded(outcome=Completed()))
        self.works(1.5)
        self.says(TaskFinished(task=REVIEW, kind=TaskKind.AGENT))
        self.works(0.8)
        self.says(PromptSubmitted(typed=False, delivers=(REVIEW,)))
        self.works(0.8)
        self.says(TurnEnded(outcome=Completed()))

    def goes_on(self) -> None:
        """Run the turn of a continuation."""
        self.works(0.4)
        self._calls += 1
        call = CallId(f"k{self._calls}")
        self.says(CallStarted(call=call, tool="Read"))
        self.works(0.6)
        self.says(CallEnded(call=call, tool="Read"), TurnEnded(outcome=Completed()))

    def hears(self, said: HostSays) -> None:
        """Do what the host has it do."""
        match said:
            case Granted():
                self.is_granted()
            case GoOn():
                self.goes_on()
            case _:
                assert_never(said)


def main() -> None:
    """Live until nobody says anything any more."""
    lead = Lead(float(sys.argv[1]))
    lead.begins()
    for said in sys.stdin.buffer:
        lead.hears(HOST_SAYS.decode(said))


if __name__ == "__main__":
    main()
