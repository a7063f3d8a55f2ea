"""Short ways to say what happens, for stories that are read as sentences."""

from __future__ import annotations

from gapless.messages.inputs import (
    AskKind,
    AskRaised,
    CallEnded,
    CallStarted,
    CronRow,
    EffectDone,
    Inventory,
    Launch,
    PromptSubmitted,
    ShellExited,
    SpawnAsked,
    Spawned,
    TaskFinished,
    TaskRow,
    TaskStarted,
    TurnEnded,
)
from gapless.typings.ids import (
    CallDigest,
    CallId,
    CronId,
    HarnessSessionId,
    ManagedId,
    PromptId,
    ReportedId,
    TaskId,
)
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.processes import ProcessIdentity
from gapless.typings.states import Completed, Failed

C1, C2 = HarnessSessionId("c1"), HarnessSessionId("c2")
P1, P2 = PromptId("p1"), PromptId("p2")
CHILD, OTHER, BUILD = TaskId("child"), TaskId("other"), TaskId("build")
SHELL, SECOND = ManagedId(incarnation=1, counter=1), ManagedId(incarnation=1, counter=2)
PROCESS = ProcessIdentity(boot="b1", pid=100, start_ticks=7)
HELD_BY_SHELLS = (("shell", "background-shells"),)


def prompt(
    name: PromptId | None = None,
    *,
    typed: bool = True,
    delivers: tuple[TaskId, ...] = (),
    of: HarnessSessionId | None = None,
) -> PromptSubmitted:
    return PromptSubmitted(prompt=name, typed=typed, delivers=delivers, conversation=of)


def stop(
    name: PromptId | None = None,
    *rows: TaskRow,
    listed: bool = True,
    complete: bool = True,
    crons: tuple[str, ...] | None = None,
    of: HarnessSessionId | None = None,
) -> TurnEnded:
    """The turn ended; ``listed``: with an inventory of exactly these rows."""
    inventory = Inventory(
        tasks=rows if listed else None,
        crons=None if crons is None else tuple(CronRow(cron=CronId(it)) for it in crons),
        complete=complete,
    )
    return TurnEnded(
        outcome=Completed(),
        prompt=name,
        inventory=inventory if listed or crons is not None else None,
        conversation=of,
    )


def failed_stop() -> TurnEnded:
    return TurnEnded(outcome=Failed(error="rate_limit"))


def row(task: TaskId = CHILD, kind: TaskKind = TaskKind.AGENT, *, running: bool = True) -> TaskRow:
    return TaskRow(task=task, kind=kind, running=running)


def starts(
    task: TaskId = CHILD,
    kind: TaskKind = TaskKind.AGENT,
    *,
    launch: Launch = Launch.UNSEEN,
    call: str | None = None,
    of: HarnessSessionId | None = None,
) -> TaskStarted:
    return TaskStarted(
        task=task,
        kind=kind,
        launch=launch,
        call=None if call is None else CallId(call),
        conversation=of,
    )


def ends(
    task: TaskId = CHILD,
    kind: TaskKind | None = TaskKind.AGENT,
    *,
    how: HowEnded = HowEnded.COMPLETED,
    of: HarnessSessionId | None = None,
) -> TaskFinished:
    return TaskFinished(task=task, kind=kind, how=how, conversation=of)


def calls(
    name: str = "k1",
    command: str = "make",
    *,
    agent: TaskId | None = None,
    runs: bool = False,
    of: HarnessSessionId | None = None,
) -> CallStarted:
    return CallStarted(
        call=CallId(name),
        tool="Bash",
        digest=CallDigest(command),
        agent=agent,
        shell=runs,
        conversation=of,
    )


def returns(
    name: str | None = "k1", command: str = "make", *, agent: TaskId | None = None
) -> CallEnded:
    call = None if name is None else CallId(name)
    return CallEnded(call=call, tool="Bash", digest=CallDigest(command), agent=agent)


def asks(
    kind: AskKind = AskKind.PERMISSION, command: str = "make", *, agent: TaskId | None = None
) -> AskRaised:
    return AskRaised(kind=kind, tool="Bash", digest=CallDigest(command), agent=agent)


def spawn(shell: ManagedId = SHELL) -> SpawnAsked:
    return SpawnAsked(shell=shell, argv=("make", "test"))


def spawned(shell: ManagedId = SHELL) -> EffectDone:
    return EffectDone(shell=shell, outcome=Spawned(process=PROCESS))


def exits(shell: ManagedId = SHELL, code: int = 0) -> ShellExited:
    return ShellExited(shell=shell, code=code)


def life(task: TaskId = CHILD, number: int = 1) -> ReportedId:
    """The ``number``-th life the roster counted."""
    return ReportedId(owner="roster", task=task, life=number)
