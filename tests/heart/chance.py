"""A long life of a session from a seed: what a host and a harness say, in an order of chance.

Unlike the strategies of ``tests.support.inputs``, which try every odd shape in short lists, this is
how sessions go on for hours: shells run and end, children come and go, turns carry what was owed,
and now and then somebody asks to close, clears, or is late.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, final

from gapless.messages.effects import SpawnShell
from gapless.messages.inputs import (
    AskAnswered,
    Boundary,
    CallEnded,
    CloseAsked,
    CloseUsed,
    ContinuationTaken,
    ConversationStarted,
    EffectDone,
    Input,
    NotificationDelivered,
    NotificationDiscarded,
    NotificationSettled,
    ShellExited,
    Signalled,
    SpawnAsked,
    Spawned,
    StopAsked,
    TaskSeen,
    TurnInterrupted,
)
from gapless.messages.inputs.shells import EffectOutcome
from gapless.typings.ids import (
    AskId,
    CallId,
    HarnessSessionId,
    InputNumber,
    ManagedId,
    PromptId,
    QuestionId,
    TaskId,
)
from gapless.typings.phases import Queued, TaskKind
from gapless.typings.processes import ProcessIdentity
from tests.heart.lab import Lab
from tests.support.words import asks, calls, ends, prompt, returns, row, starts, stop

GAPS_MS: Final = (0, 0, 0, 0, 0, 0, 1, 300, 1_000, 2_000, 2_001, 59_999, 60_000, 60_001)
KINDS: Final = (TaskKind.AGENT, TaskKind.AGENT, TaskKind.WORKFLOW, TaskKind.SHELL, TaskKind.MONITOR)


@final
class Life:
    """Who says what next; ``lab`` is the session that hears it."""

    def __init__(self, chance: Random, lab: Lab) -> None:
        self._chance = chance
        self._lab = lab
        self._shells = 0
        self._running: list[ManagedId] = []
        self._released = 0
        self._often: list[Callable[[], Input]] = [
            *(
                self._prompt,
                self._stop,
                self._stop,
                self._spawn,
                self._spawn,
                self._exit,
                self._exit,
            ),
            *(
                self._take,
                self._take,
                self._settle,
                self._start,
                self._end,
                self._call,
                self._return,
            ),
            *(self._ask, self._answer, self._seen),
        ]
        self._seldom: list[Callable[[], Input]] = [
            *(self._close, self._use, self._boundary, self._halt, self._discard, self._delivered),
            TurnInterrupted,
        ]

    def gap_ms(self) -> int:
        """Return how long nothing is said."""
        return self._chance.choice(GAPS_MS)

    def says(self) -> Input:
        """Return what is said next."""
        done = self._effect()
        if done is not None and self._chance.random() < 0.7:
            return done
        rare = self._chance.random() < 0.15
        return self._chance.choice(self._seldom if rare else self._often)()

    def _effect(self) -> Input | None:
        """Do the next effect that was released, and say what came of it: once for all repeats."""
        wanted = list(dict.fromkeys(self._lab.effects[self._released :]))
        if not wanted:
            return None
        effect = wanted[0]
        self._released = len(self._lab.effects) if len(wanted) == 1 else self._released + 1
        outcome: EffectOutcome = Signalled()
        if isinstance(effect, SpawnShell):
            self._running.append(effect.shell)
            pid = effect.shell.counter
            outcome = Spawned(process=ProcessIdentity(boot="b", pid=pid, start_ticks=pid))
        return EffectDone(shell=effect.shell, outcome=outcome)

    def _one_of(self, *names: str) -> str:
        return self._chance.choice(names)

    def _task(self) -> TaskId:
        return TaskId(self._one_of("t1", "t2", "t3", "t4"))

    def _of(self) -> HarnessSessionId | None:
        return self._chance.choice((None, None, HarnessSessionId("c1"), HarnessSessionId("c2")))

    def _prompt_id(self) -> PromptId | None:
        return self._chance.choice((None, PromptId(f"p{self._chance.randrange(6)}")))

    def _shell(self) -> ManagedId:
        return ManagedId(incarnation=1, counter=self._chance.randint(1, max(1, self._shells)))

    def _queued(self) -> list[ManagedId]:
        shells = self._lab.views[-1].shells if self._lab.views else ()
        return [
            it.key
            for it in shells
            if isinstance(it.key, ManagedId) and isinstance(it.notification, Queued)
        ]

    def _prompt(self) -> Input:
        return prompt(self._prompt_id(), typed=self._chance.random() < 0.7, of=self._of())

    def _stop(self) -> Input:
        rows = [row(self._task(), self._chance.choice(KINDS)) for _ in range(2)]
        listed = self._chance.random() < 0.4
        complete = self._chance.random() < 0.8
        crons = self._chance.choice((None, None, (), ("r1",)))
        listing = rows[: self._chance.randint(0, 2)] if listed else ()
        return stop(
            self._prompt_id(),
            *listing,
            listed=listed,
            complete=complete,
            crons=crons,
            of=self._of(),
        )

    def _spawn(self) -> Input:
        self._shells += 1
        return SpawnAsked(shell=ManagedId(incarnation=1, counter=self._shells), argv=("make",))

    def _exit(self) -> Input:
        if not self._running:
            return ShellExited(shell=self._shell(), code=1)
        place = self._chance.randrange(len(self._running))
        return ShellExited(shell=self._running.pop(place), code=0)

    def _take(self) -> Input:
        return ContinuationTaken(keys=tuple(self._queued()) or (self._shell(),))

    def _settle(self) -> Input:
        return NotificationSettled(key=self._chance.choice(self._queued() or [self._shell()]))

    def _discard(self) -> Input:
        return NotificationDiscarded(key=self._shell())

    def _delivered(self) -> Input:
        return NotificationDelivered(tasks=(self._task(),), conversation=self._of())

    def _start(self) -> Input:
        return starts(self._task(), self._chance.choice(KINDS), of=self._of())

    def _end(self) -> Input:
        return ends(self._task(), self._chance.choice((None, *KINDS)), of=self._of())

    def _seen(self) -> Input:
        return TaskSeen(task=self._task())

    def _call(self) -> Input:
        agent = self._chance.choice((None, None, self._task()))
        return calls(self._one_of("k1", "k2", "k3"), agent=agent, runs=self._chance.random() < 0.5)

    def _return(self) -> Input:
        if self._chance.random() < 0.2:
            return returns(None)
        return CallEnded(call=CallId(self._one_of("k1", "k2", "k3")), tool="Bash")

    def _ask(self) -> Input:
        return asks(agent=self._chance.choice((None, None, self._task())))

    def _answer(self) -> Input:
        return AskAnswered(ask=AskId("a1"), call=CallId(self._one_of("k1", "k2", "k3")))

    def _close(self) -> Input:
        question = QuestionId(self._chance.randint(1, 3))
        return CloseAsked(question=question, drain_ms=self._chance.choice((None, 1_000)))

    def _use(self) -> Input:
        as_of = self._lab.views[-1].upto if self._lab.views else 0
        question = QuestionId(self._chance.randint(1, 3))
        return CloseUsed(question=question, as_of=InputNumber(max(0, as_of - 1)))

    def _boundary(self) -> Input:
        how = self._chance.choice((Boundary.CLEAR, Boundary.COMPACT, Boundary.RESUME))
        return ConversationStarted(
            how=how, conversation=self._of(), idle=self._chance.random() < 0.5
        )

    def _halt(self) -> Input:
        return StopAsked(shell=self._shell())
