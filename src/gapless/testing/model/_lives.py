"""What the oracle remembers, and the lives of tasks: children, shells, and what they owe."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final, Literal, TypeAlias

from gapless.messages import inputs as say
from gapless.messages.inputs.attribution import FromAgent
from gapless.typings.ids import ManagedId, ReportedId, TaskId, TaskKey, lane_of, name_of
from gapless.typings.phases import REGISTRY_KINDS, HowEnded, TaskKind
from gapless.typings.processes import ProcessIdentity
from gapless.typings.reading import LeadWord
from gapless.typings.settings import Settings

Owner: TypeAlias = Literal["roster", "registry"]
Name: TypeAlias = tuple[str | None, str | None]  # an agent, None for the lead; a call or an ask
Holds: TypeAlias = frozenset[tuple[str, str]]
AGENT, MATE, UNKNOWN = TaskKind.AGENT, TaskKind.TEAMMATE, TaskKind.UNKNOWN
UNNAMED = TaskId("unnamed")  # the shell of which a status file says no more than that it runs
UNSEEN, BACKGROUND = say.Launch.UNSEEN, say.Launch.BACKGROUND
BOTH: Final[tuple[Owner, ...]] = ("roster", "registry")
LEAD: Final[dict[str, LeadWord]] = {
    "unseen": "unknown",
    "open": "working",
    "boundary": "done",
    "interrupted": "interrupted",
    "completed": "done",
    "failed": "failed",
}  # better ones later
OWE_NOTHING: Final[set[str]] = {
    "stopped",
    "returned",
    "parked",
    "void",
    "never-started",
    "foreground",
    "detached",
    "teammate",
    "unknown",
}


@dataclass(frozen=True)
class End:  # of the lead's turn: how, when, whether it is presumed, and its stop awaited
    turn: str
    at: int
    presumed: bool = False
    unheard: bool = False

    def rank(self) -> tuple[int, bool, bool]:
        return [*LEAD].index(self.turn), not self.presumed, not self.unheard


@dataclass
class Life:  # of one task, with its notification, which is late or lost when overdue
    key: TaskKey
    kind: TaskKind
    at: int  # when it was last heard of, or ended
    conversation: str | None = None
    confirmed: bool = True  # of a managed shell: it was seen to run
    launch: say.Launch = UNSEEN
    call: str | None = None
    mate: str | None = None
    running: bool = True
    silent: bool = False
    how: HowEnded = HowEnded.COMPLETED
    note: Literal["none", "queued", "late", "active", "lost", "settled"] = "none"
    idle: int = 0  # the idle clock when its notification was queued or became active


def owner_of(kind: TaskKind) -> Owner:
    return "registry" if kind in REGISTRY_KINDS else "roster"


class Lives:
    """Everything a session is, in plain attributes; here, what happens to its tasks."""

    def __init__(self, settings: Settings) -> None:  # noqa: PLR0915
        self.settings: Settings = settings
        # time: the host's and the session's, what was skipped, and the two idle clocks
        self.at: int = 0
        self.t: int = 0
        self.fresh: int = 0  # what ended before this is old news
        self.skipped: int = 0
        self.jumped: int | None = None
        self.alarm: int | None = None
        self.idle: int = 0
        self.base: int = 0
        self.quiet: int = 0
        # whose conversation it is
        self.current: str | None = None
        self.newest: str | None = None  # the one that this row begins
        self.others: set[str] = set()
        self.process: ProcessIdentity | None = None
        self.first: float = -inf  # when this conversation's lead was first heard
        self.ended: bool = False
        self.closed: bool = False
        self.gone: bool = False  # the pane is, and nothing of its harness was seen since
        self.voided: Literal["", "turn", "tasks"] = ""  # what a lost event told of
        # the lead
        self.turn: str = "unseen"
        self.was_shut: bool = False
        self.resumed: bool = False  # a call showed that the turn goes on
        self.opened: float = -inf
        self.end_of_turn: End = End("unseen", 0)  # of the last one that ended
        self.was: End | None = None  # the end of a turn that late news may have reopened
        self.prompts: list[str | None] = []
        self.spent: set[str | None] = set()
        self.stops: list[str] = [""]
        self.said: dict[str, int] = {}  # prompts without an id, and when they came
        self.crons: set[str] = set()
        # what the log and the status file told of its turn
        self.word: say.StatusWord | None = None
        self.stamp: int | None = None
        self.busy: float = -inf
        self.vouches: bool = False  # nothing else says that the turn is open, or over
        self.joined: float = -inf
        self.early_cut: float = -inf
        self.logged: tuple[int, str] | None = None
        self.opens: int | None = None
        self.closes: int | None = None
        self.shell_said: bool = False
        # calls and asks, of everybody
        self.open: dict[Name, say.CallStarted] = {}
        self.over: dict[Name, str | None] = {}
        self.asks: list[say.AskRaised] = []
        self.raised: dict[say.AskRaised, int] = {}
        self.shown: int | None = None  # since when the file says that a person is asked
        self.asked: set[Name] = set()
        self.answered: set[Name] = set()
        # tasks and their notifications
        self.lives: dict[TaskKey, Life] = {}
        self.early: dict[Name, tuple[int, HowEnded]] = {}
        self.delivers: set[str] = set()
        self.carries: set[TaskKey] = set()  # by the turn that the host itself opened
        self.settled: set[TaskKey] = set()
        # closing
        self.gate: tuple[int, int, Holds] | None = None  # question, when it opens, ignoring
        self.permit: tuple[int, int, Holds] | None = None  # question, as of, ignoring

    def is_shut(self) -> bool:
        return self.turn not in {"unseen", "open"}

    def is_idle(self) -> bool:
        return self.is_shut() and not self.asks and not self.ended

    def is_quiet(self) -> bool:
        return (self.is_shut() or bool(self.carries)) and not self.asks and not self.ended

    def asks_of(self, agent: str | None) -> list[say.AskRaised]:
        return [ask for ask in self.asks if ask.agent == agent]

    def release(self, asks: list[say.AskRaised]) -> None:
        self.answered |= {(ask.agent, ask.ask) for ask in asks if ask.ask is not None}
        self.asks = [ask for ask in self.asks if ask not in asks]

    def clear(self, agent: str | None, *, for_good: bool = True) -> None:
        self.release(self.asks_of(agent))
        mine = {name: call for name, call in self.open.items() if name[0] == agent}
        self.over |= {name: call.digest for name, call in mine.items()}
        self.asked |= set(mine)
        self.open = {name: call for name, call in self.open.items() if name[0] != agent}
        if for_good:
            self.forget_asked(agent)

    def forget_asked(self, agent: str | None) -> None:
        self.asked = {name for name in self.asked if name[0] != agent}

    def running(self, owner: Owner) -> list[Life]:
        return [it for it in self.lives.values() if it.running and lane_of(it.key) == owner]

    def last(self, owner: Owner, task: str | None) -> Life | None:
        mine = [life for life in self.lives.values() if lane_of(life.key) == owner]
        return next((life for life in reversed(mine) if name_of(life.key) == task), None)

    def shell(self, key: ManagedId) -> Life:
        return self.lives.setdefault(key, Life(key, TaskKind.SHELL, self.t, confirmed=False))

    def bear(self, task: TaskId, kind: TaskKind, conversation: str | None) -> Life:
        count = sum(lane_of(key) == owner_of(kind) for key in self.lives)
        key = ReportedId(owner=owner_of(kind), task=task, life=count + 1)
        return self.lives.setdefault(key, Life(key, kind, self.t, conversation or self.current))

    def confirm(self, life: Life) -> None:
        life.confirmed, life.at, life.silent = True, self.t, False

    def hear(self, it: FromAgent | say.TaskSeen, task: TaskId | None, *, new: bool = False) -> None:
        life = self.last("roster", task)
        if life and life.running:
            self.confirm(life)
        elif task is None:
            return
        elif (
            life
            and (new or not isinstance(it, say.CallEnded | say.CallStarted))
            and life.at < self.fresh
        ):
            self.bear(task, life.kind, it.conversation).mate = life.mate
        elif it.typed and not life and ("roster", task) not in self.early:
            self.bear(task, AGENT, it.conversation)

    def start(self, it: say.TaskStarted) -> None:
        kind = MATE if it.teammate is not None and it.kind is AGENT else it.kind
        if kind in REGISTRY_KINDS:
            self.name_shells()
        life = self.last(owner_of(kind), it.task)
        early = self.early.get((owner_of(kind), it.task)) if life is None else None
        if life and not life.running and life.call == it.call is not None:
            return
        late = life and life.kind is not MATE and life.at >= self.fresh
        if life is None or not (life.running or late):
            life = self.bear(it.task, kind, it.conversation)
            life.mate = it.teammate
        if life.running:
            self.confirm(life)
        if life.launch is UNSEEN:
            life.launch = it.launch
        if life.call is None:
            life.call = it.call
        if early:
            self.was_shut = False  # whether it outlived a turn, nobody saw
        if early:
            self.end(life, early[1])
        elif not life.running and life.launch is BACKGROUND:
            self.owe(life)

    def reported(self) -> list[Life]:
        return [it for it in self.running("registry") if isinstance(it.key, ReportedId)]

    def name_shells(self) -> None:
        for life in self.reported():
            if name_of(life.key) == UNNAMED:
                self.end(life, HowEnded.VOID)

    def finish(self, task: TaskId, kind: TaskKind | None, how: HowEnded, *, typed: bool) -> None:
        for owner in BOTH if kind is None else (owner_of(kind),):
            life = self.last(owner, task)
            if owner == "roster":
                self.clear(task)
            if life:
                self.end(life, how)
            elif typed:
                self.early[owner, task] = (self.t, how)

    def end(self, life: Life, how: HowEnded) -> None:
        if not life.running:
            return
        parks = life.kind is MATE and how is not HowEnded.VANISHED
        life.running, life.at, life.how = False, self.t, HowEnded.PARKED if parks else how
        if lane_of(life.key) == "roster":
            self.clear(name_of(life.key))
        if life.kind is not AGENT or life.launch is BACKGROUND or self.was_shut:
            self.owe(life)

    def owe(self, life: Life) -> None:
        if life.note != "none" or {life.how, life.launch, life.kind} & OWE_NOTHING:
            return
        carried = isinstance(life.key, ReportedId) and life.key.task in self.delivers
        known = life.key in self.settled
        known |= self.ended and isinstance(life.key, ReportedId)
        life.note, life.idle = "settled" if known else "active" if carried else "queued", self.idle
        if life.note == "active":
            life.idle = self.quiet

    def reconcile(self, it: say.TurnEnded | say.InventoryListed) -> None:
        listed = it.inventory or say.Inventory()
        if listed.crons is not None and listed.complete:
            self.crons = set[str]()
        if listed.tasks is not None:
            self.name_shells()
        self.crons |= {row.cron for row in listed.crons or ()}
        for owner in BOTH if listed.tasks is not None else ():
            rows = [row for row in listed.tasks or () if owner_of(row.kind) == owner]
            for row in [row for row in rows if row.kind is not MATE]:
                life = self.last(owner, row.task)
                new = life is None and row.running and (owner, row.task) not in self.early
                if new:
                    self.bear(row.task, row.kind, it.conversation)
                if life is None:
                    continue
                if (life.kind, row.kind) == (MATE, AGENT):
                    life.kind = row.kind
                if not life.running and row.running and life.at < self.fresh:
                    self.bear(row.task, life.kind, it.conversation)
                elif life.running and row.running:
                    self.confirm(life)
                elif life.running:
                    self.end(life, row.how)
            there = {row.task for row in listed.tasks or ()}
            mates = {row.kind for row in rows} & {MATE}
            lives = [it for it in self.running(owner) if listed.complete and it.kind not in mates]
            for life in [life for life in lives if name_of(life.key) not in there]:
                self.end(life, HowEnded.VANISHED)
            for row in [row for row in rows if row.running and isinstance(it, say.TurnEnded)]:
                life = self.last(owner, row.task)
                over = life and not life.running and life.at >= self.fresh
                if life and over and life.kind is AGENT and life.launch is UNSEEN:
                    self.owe(life)

    def deliver(self, tasks: tuple[TaskId, ...]) -> None:
        if self.turn == "open":
            self.delivers |= set(tasks)
        for task in tasks:
            self.finish(task, None, HowEnded.COMPLETED, typed=True)
        for life in [life for life in self.lives.values() if life.note == "queued"]:
            if name_of(life.key) in tasks and isinstance(life.key, ReportedId):
                life.note, life.idle = "active" if self.turn == "open" else "settled", self.quiet
