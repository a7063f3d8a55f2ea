# fmt: off
# ruff: noqa: E701 - it reads as a table, a rule a line, and so stays a few screens long
"""The oracle: the whole fold as a naive function of the inputs, but for lost parts and evidence."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Literal, TypeAlias, assert_never

from msgspec.structs import replace

from gapless.messages import inputs as say
from gapless.messages.inputs.attribution import FromAgent, FromHarness
from gapless.messages.recorded import Recorded
from gapless.typings.ids import CallId, ManagedId, ReportedId, TaskId, TaskKey, lane_of, name_of
from gapless.typings.phases import REGISTRY_KINDS, HowEnded, TaskKind
from gapless.typings.reading import CloseWord, LeadWord, Reading, StateWord
from gapless.typings.settings import DEFAULTS, Settings

_Owner: TypeAlias = Literal["roster", "registry"]
_Name: TypeAlias = tuple[str | None, str | None]  # an agent, None for the lead; a call or an ask
_Holds: TypeAlias = frozenset[tuple[str, str]]
_AGENT, _MATE, _UNKNOWN = TaskKind.AGENT, TaskKind.TEAMMATE, TaskKind.UNKNOWN
_UNSEEN, _BACKGROUND = say.Launch.UNSEEN, say.Launch.BACKGROUND
_BOTH: Final[tuple[_Owner, ...]] = ("roster", "registry")
_LEAD: Final[dict[str, LeadWord]] = {"unseen": "unknown", "open": "working", "boundary": "done",
    "interrupted": "interrupted", "completed": "done", "failed": "failed"}  # better ones later
_OWE_NOTHING: Final[set[str]] = {"stopped", "returned", "parked", "void", "never-started",
    "foreground", "detached", "teammate", "unknown"}

def model(rows: Sequence[Recorded], settings: Settings = DEFAULTS) -> list[Reading]:
    """Return the reading after each of ``rows``."""
    return list(map(_Session(settings).take, rows))

@dataclass
class _Life:  # of one task, with its notification, which is late or lost when overdue
    key: TaskKey
    kind: TaskKind
    at: int  # when it was last heard of, or ended
    conversation: str | None = None
    confirmed: bool = True  # of a managed shell: it was seen to run
    launch: say.Launch = _UNSEEN
    call: str | None = None
    mate: str | None = None
    running: bool = True
    silent: bool = False
    how: HowEnded = HowEnded.COMPLETED
    note: Literal["none", "queued", "late", "active", "lost", "settled"] = "none"
    idle: int = 0  # the idle clock when its notification was queued or became active
class _Session:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.at = self.t = self.skipped = self.fresh = self.idle = self.base = 0
        self.ended = self.closed = self.was_shut = False
        self.turn, self.first = "unseen", -inf  # first: when this conversation's lead was heard
        self.alarm: int | None = None
        self.current: str | None = None
        self.newest: str | None = None  # the conversation that this row begins
        self.others, self.delivers, self.crons = set[str](), set[str](), set[str]()
        self.prompts, self.spent = list[str | None](), set[str | None]()
        self.open, self.over = dict[_Name, say.CallStarted](), dict[_Name, str | None]()
        self.asks, self.asked, self.answered = list[say.AskRaised](), set[_Name](), set[_Name]()
        self.lives, self.early = dict[TaskKey, _Life](), dict[_Name, tuple[int, HowEnded]]()
        self.carries, self.settled = set[TaskKey](), set[TaskKey]()  # carries: the host's own turn
        self.gate: tuple[int, int, _Holds] | None = None  # question, when it opens, ignoring
        self.permit: tuple[int, int, _Holds] | None = None  # question, as of, ignoring

    def take(self, row: Recorded) -> Reading:
        late = row.at_ms - self.skipped - self.alarm if self.alarm is not None else 0
        if late > self.settings.jump_tolerance_ms: self.skipped += row.at_ms - self.at
        now = max(self.t, row.at_ms - self.skipped)
        if self.is_idle(): self.idle += now - self.t
        self.t, self.at, self.was_shut = now, row.at_ms, self.is_shut()
        self.fresh, self.newest = now - self.settings.early_end_ms, None
        self.early = {name: end for name, end in self.early.items() if end[0] >= self.fresh}
        if not (row.void or self.closed) and self.heeds(row.what): self.handle(row.number, row.what)
        if self.permit and self.close(self.permit[2]) != "closable": self.permit = None
        gate = [self.gate[1]] if self.gate and self.turn == "open" else []
        self.alarm = min([*gate, *(self.t + left for _, left in self.leases())], default=None)
        return self.read()
    def is_shut(self) -> bool:
        return self.turn not in {"unseen", "open"}
    def is_idle(self) -> bool:
        return self.is_shut() and not self.asks and not self.ended
    def leases(self) -> list[tuple[_Life, int]]:
        kids = [life for life in self.running("roster") if not life.silent]
        left = [(life, life.at + self.settings.child_lease_ms - self.t) for life in kids]
        lease = {"queued": self.settings.owed_lease_ms, "active": self.settings.active_lease_ms}
        notes = [life for life in self.lives.values() if life.note in lease and self.is_idle()]
        return left + [(n, lease[n.note] + max(self.base, n.idle) - self.idle) for n in notes]
    def heeds(self, it: say.Input) -> bool:
        if isinstance(it, say.ConversationStarted) and it.how is say.Boundary.COMPACT: return False
        known = {*self.spent, *self.prompts}
        if isinstance(it, say.PromptSubmitted) and it.prompt in known: return False
        opens = isinstance(it, say.ConversationStarted | say.PromptSubmitted)
        deaf = self.ended and not (opens or isinstance(it, say.InventoryListed | say.TaskFinished))
        if deaf and isinstance(it, FromHarness | say.TurnInterrupted | say.ContinuationTaken):
            return False
        if isinstance(it, FromHarness) and not self.belongs(it, opens=opens): return False
        if opens: self.ended = False
        late = self.turn != "unseen" and self.t - self.first <= self.settings.late_boundary_ms
        if isinstance(it, say.ConversationStarted) and late: return False
        leads = isinstance(it, say.PromptSubmitted | say.TurnEnded | say.ConversationStarted)
        leads |= isinstance(it, say.CallStarted | say.AskRaised) and it.agent is None
        if leads and self.first == -inf: self.first = self.t
        return True
    def belongs(self, it: FromHarness, *, opens: bool) -> bool:
        self.current = self.current or it.conversation
        if it.conversation is None or it.conversation == self.current: return True
        nested = any(call.shell for (agent, _), call in self.open.items() if agent is None)
        known = it.conversation in self.others
        if nested: self.others.add(it.conversation)
        kid = isinstance(it, say.TaskStarted | say.TaskSeen | say.TaskFinished | say.TeammateParked)
        kid |= isinstance(it, FromAgent) and it.agent is not None
        if nested or kid: return not nested and not known
        if isinstance(it, say.ConversationEnded) or (known and not opens): return False
        self.others = {*self.others, self.current or ""} - {it.conversation}
        self.current, self.first = it.conversation, -inf
        self.newest = it.conversation
        self.forget(self.stays, "unseen")
        return True
    def stays(self, life: _Life) -> bool:
        mate = life.kind is _MATE and life.confirmed
        return mate or life.kind in REGISTRY_KINDS or life.conversation == self.newest is not None
    def handle(self, number: int, it: say.Input) -> None:  # noqa: PLR0915
        match it:
            case say.PromptSubmitted():
                self.turn, self.carries = "open", set[TaskKey]()
                if it.prompt is not None: self.prompts.append(it.prompt)
                if it.typed: self.release(self.asks)
                self.deliver(it.delivers)
            case say.CallStarted(): self.start_call(it)
            case say.CallEnded(): self.end_call(it)
            case say.AskRaised(): self.ask(it)
            case say.AskAnswered():
                mine = self.asks_of(it.agent)
                self.release([ask for ask in mine if ask.ask == it.ask is not None]
                    or [ask for ask in mine if ask.call == it.call is not None]
                    or [ask for ask in mine if ask.digest == it.digest is not None])
            case say.TurnEnded() if self.prompts and it.prompt in {*self.spent, *self.prompts[:-1]}:
                self.spent.add(it.prompt)
                self.prompts = [prompt for prompt in self.prompts if prompt != it.prompt]
            case say.TurnEnded():
                self.reconcile(it)
                for life in self.running("roster"):
                    if life.kind is _AGENT and life.launch is _UNSEEN: life.launch = _BACKGROUND
                if it.prompt is not None: self.spent.add(it.prompt)
                self.end_turn(type(it.outcome).__name__.lower())
            case say.TurnInterrupted() if self.turn == "open": self.end_turn("interrupted")
            case say.ConversationStarted():
                self.forget(self.stays, "boundary" if it.idle else "unseen")
            case say.ConversationEnded():
                self.forget(lambda life: life.kind in REGISTRY_KINDS, "unseen", managed=False)
                self.ended, self.first = True, -inf
            case say.PaneCleared():
                self.forget(lambda _: False, "unseen", managed=False)
                self.ended, self.first, self.current, self.others = False, -inf, None, set[str]()
            case say.TaskStarted(): self.start(it)
            case say.TaskSeen(): self.hear(it, it.task)
            case say.TaskFinished(): self.finish(it.task, it.kind, it.how, typed=it.typed)
            case say.TeammateParked():
                for life in [life for life in self.running("roster") if life.mate == it.teammate]:
                    if life.kind is _MATE: self.end(life, HowEnded.PARKED)
            case say.InventoryListed(): self.reconcile(it)
            case say.TasksRestored():
                for row in it.tasks:
                    known = self.last(_owner(row.kind), row.task)
                    if not known: self.bear(row.task, row.kind, None).confirmed = False
            case say.SpawnAsked(): self.shell(it.shell)
            case say.ShellAdopted() | say.EffectDone(outcome=say.Spawned()):
                self.shell(it.shell).confirmed = True
            case say.EffectDone(outcome=say.SpawnFailed()):
                if not self.shell(it.shell).confirmed: self.end(self.shell(it.shell), HowEnded.VOID)
            case say.ShellExited() | say.ShellLost(): self.end(self.shell(it.shell), HowEnded.LOST)
            case say.NotificationDelivered(): self.deliver(it.tasks)
            case say.ContinuationTaken() if self.turn != "open" and self.gate is None:
                taken = [self.lives[key] for key in it.keys if key in self.lives]
                for life in [life for life in taken if life.note in {"queued", "late"}]:
                    life.note, life.idle, self.turn = "active", self.idle, "open"
                    self.carries.add(life.key)
            case say.NotificationSettled() | say.NotificationDiscarded():
                self.settled.add(it.key)
                for life in self.lives.values():
                    if life.key == it.key and life.note != "none": life.note = "settled"
                if self.carries and self.carries <= self.settled: self.end_turn("completed")
            case say.CloseAsked() if self.gate is None:
                ignoring, waits = frozenset(it.ignoring), it.drain_ms is not None and not self.ended
                waits = waits and self.close(ignoring, turn=False) == "closable"
                if self.close(ignoring) == "closable": self.permit = (it.question, number, ignoring)
                elif waits: self.gate = (it.question, self.t + (it.drain_ms or 0), ignoring)
            case say.CloseRound() if self.gate and self.gate[0] == it.question:
                self.permit, self.gate = (it.question, number, self.gate[2]), None
            case say.CloseUsed() if self.permit and self.permit[:2] == (it.question, it.as_of):
                self.closed = self.ended = True
            case say.CloseForced(): self.closed = self.ended = True
            case say.TimerFired():
                for life in [life for life, left in self.leases() if left <= 0]:
                    if life.running: life.silent = True
                    elif life.note == "active": life.note = "lost"
                    else: life.note = "settled" if isinstance(life.key, ReportedId) else "late"
                if self.gate and self.t >= self.gate[1]: self.gate = None
            case say.TurnInterrupted() | say.ContinuationTaken() | say.EffectDone(): pass
            case say.CloseAsked() | say.CloseRound() | say.CloseUsed() | say.ResyncAsked(): pass
            case say.StopAsked() | say.ShellGrew() | say.ShellPolled() | say.CpuSampled(): pass
            case say.ClaimMade() | say.PaneCaptured() | say.PaneTurnMarked(): pass
            case _: assert_never(it)
    def end_turn(self, turn: str) -> None:
        for life in self.lives.values() if not self.is_shut() else ():
            if life.note == "active": life.note = "settled"
        self.leave_turn(max(self.turn, turn, key=list(_LEAD).index))
    def leave_turn(self, turn: str) -> None:
        if self.turn == "open" and turn != "unseen": self.base = self.idle
        self.spent |= set(self.prompts)
        self.turn, self.prompts, self.carries, self.delivers = turn, [], set[TaskKey](), set[str]()
        self.clear(None)
    def forget(self, stays: Callable[[_Life], bool], turn: str, *, managed: bool = True) -> None:
        self.leave_turn(turn)
        self.release(self.asks)
        self.crons, self.early = set[str](), {}
        for life in self.lives.values():
            reported = isinstance(life.key, ReportedId)
            if reported and not stays(life): self.end(life, HowEnded.VOID)
            if life.note != "none" and (managed or reported): life.note = "settled"
    def asks_of(self, agent: str | None) -> list[say.AskRaised]:
        return [ask for ask in self.asks if ask.agent == agent]
    def release(self, asks: list[say.AskRaised]) -> None:
        self.answered |= {(ask.agent, ask.ask) for ask in asks if ask.ask is not None}
        self.asks = [ask for ask in self.asks if ask not in asks]
    def clear(self, agent: str | None) -> None:
        self.release(self.asks_of(agent))
        self.over |= {name: None for name in self.open if name[0] == agent}
        self.open = {name: call for name, call in self.open.items() if name[0] != agent}
        self.asked = {name for name in self.asked if name[0] != agent}
    def start_call(self, it: say.CallStarted) -> None:
        new = (it.agent, it.call) not in {*self.open, *self.over}
        self.hear(it, it.agent, new=new)
        if not new: return
        self.open[it.agent, it.call] = it
        self.release([a for a in self.asks_of(it.agent) if a.kind is say.AskKind.QUESTION])
        mine = [ask for ask in self.asks_of(it.agent) if ask.call is None]
        for ask in [ask for ask in mine if ask.digest == it.digest is not None][:1]:
            self.asks[self.asks.index(ask)] = replace(ask, call=it.call)
            self.asked.add((it.agent, it.call))
        if it.agent is None: self.carries = set[TaskKey]()
        if it.agent is None and self.turn != "interrupted": self.turn = "open"
    def end_call(self, it: say.CallEnded) -> None:
        self.hear(it, it.agent)
        if (it.agent, it.call) in self.over: return
        alike = [name for name, call in self.open.items() if call.digest == it.digest is not None]
        unnamed = [CallId(call) for agent, call in alike if agent == it.agent and call is not None]
        it = replace(it, call=it.call or next(iter(unnamed), None))
        started, mine = self.open.pop((it.agent, it.call), None), self.asks_of(it.agent)
        own = [ask for ask in mine if ask.call == it.call is not None]
        loose = [ask for ask in mine if ask.call is None and (ask.digest == it.digest
            if ask.digest and it.digest else ask.tool == it.tool != "")]
        own = own or loose[:1]
        self.release(own)
        if own: self.asked.add((it.agent, it.call))
        digests = [it.digest, started.digest if started else None, *(ask.digest for ask in own)]
        if it.call is not None: self.over[it.agent, it.call] = next(filter(None, digests), None)
    def ask(self, it: say.AskRaised) -> None:
        self.hear(it, it.agent)
        child = self.last("roster", it.agent)
        late = not child.running if child else it.agent is None and self.turn == "interrupted"
        mine = [call for (agent, _), call in self.open.items() if agent == it.agent]
        calls = [call.call for call in mine if call.digest == it.digest is not None]
        if it.call is None and len(calls) == 1: it = replace(it, call=calls[0])
        known = (it.agent, it.call) in self.over or (it.agent, it.ask) in self.answered
        over = {self.over.get(name) for name in self.asked if name[0] == it.agent} - {None}
        known |= it.call is None and not calls and it.digest in over
        for other in self.asks_of(it.agent):
            known |= other.ask == it.ask is not None or other.call == it.call is not None
            alike = (other.kind, other.call, other.digest) == (it.kind, it.call, it.digest)
            known |= alike and (it.digest is not None or other.ask is it.ask is None)
        if late or known: return
        self.asks.append(it)
        self.asked.add((it.agent, it.call))
        if it.agent is None: self.turn, self.carries = "open", set[TaskKey]()
    def running(self, owner: _Owner) -> list[_Life]:
        return [it for it in self.lives.values() if it.running and lane_of(it.key) == owner]
    def last(self, owner: _Owner, task: str | None) -> _Life | None:
        mine = [life for life in self.lives.values() if lane_of(life.key) == owner]
        return next((life for life in reversed(mine) if name_of(life.key) == task), None)
    def shell(self, key: ManagedId) -> _Life:
        return self.lives.setdefault(key, _Life(key, TaskKind.SHELL, self.t, confirmed=False))
    def bear(self, task: TaskId, kind: TaskKind, conversation: str | None) -> _Life:
        count = sum(lane_of(key) == _owner(kind) for key in self.lives)
        key = ReportedId(owner=_owner(kind), task=task, life=count + 1)
        return self.lives.setdefault(key, _Life(key, kind, self.t, conversation or self.current))
    def confirm(self, life: _Life) -> None:
        life.confirmed, life.at, life.silent = True, self.t, False
    def hear(self, it: FromAgent | say.TaskSeen, task: TaskId | None, *, new: bool = False) -> None:
        life = self.last("roster", task)
        if life and life.running: self.confirm(life)
        elif task is None: return
        elif life and new and life.at < self.fresh:
            self.bear(task, life.kind, it.conversation).mate = life.mate
        elif it.typed and not life and ("roster", task) not in self.early:
            self.bear(task, _AGENT, it.conversation)
    def start(self, it: say.TaskStarted) -> None:
        kind = _MATE if it.teammate is not None and it.kind is _AGENT else it.kind
        life = self.last(_owner(kind), it.task)
        early = self.early.get((_owner(kind), it.task)) if life is None else None
        if life and not life.running and life.call == it.call is not None: return
        late = life and life.kind is not _MATE and life.at >= self.fresh
        if life is None or not (life.running or late):
            life = self.bear(it.task, kind, it.conversation)
            life.mate = it.teammate
        if life.running: self.confirm(life)
        if life.launch is _UNSEEN: life.launch = it.launch
        if life.call is None: life.call = it.call
        if early: self.was_shut = False  # whether it outlived a turn, nobody saw
        if early: self.end(life, early[1])
        elif not life.running and life.launch is _BACKGROUND: self.owe(life)
    def finish(self, task: TaskId, kind: TaskKind | None, how: HowEnded, *, typed: bool) -> None:
        for owner in _BOTH if kind is None else (_owner(kind),):
            life = self.last(owner, task)
            if owner == "roster": self.clear(task)
            if life: self.end(life, how)
            elif typed: self.early[owner, task] = (self.t, how)
    def end(self, life: _Life, how: HowEnded) -> None:
        if not life.running: return
        parks = life.kind is _MATE and how is not HowEnded.VANISHED
        life.running, life.at, life.how = False, self.t, HowEnded.PARKED if parks else how
        if lane_of(life.key) == "roster": self.clear(name_of(life.key))
        if life.kind is not _AGENT or life.launch is _BACKGROUND or self.was_shut: self.owe(life)
    def owe(self, life: _Life) -> None:
        if life.note != "none" or {life.how, life.launch, life.kind} & _OWE_NOTHING: return
        carried = isinstance(life.key, ReportedId) and life.key.task in self.delivers
        known = life.key in self.settled
        life.note, life.idle = "settled" if known else "active" if carried else "queued", self.idle
    def reconcile(self, it: say.TurnEnded | say.InventoryListed) -> None:
        listed = it.inventory or say.Inventory()
        if listed.crons is not None and listed.complete: self.crons = set[str]()
        self.crons |= {row.cron for row in listed.crons or ()}
        for owner in _BOTH if listed.tasks is not None else ():
            rows = [row for row in listed.tasks or () if _owner(row.kind) == owner]
            for row in [row for row in rows if row.kind is not _MATE]:
                life = self.last(owner, row.task)
                new = life is None and row.running and (owner, row.task) not in self.early
                if new: self.bear(row.task, row.kind, it.conversation)
                if life is None: continue
                if (life.kind, row.kind) == (_MATE, _AGENT): life.kind = row.kind
                outlived = isinstance(it, say.TurnEnded) and life.launch is _UNSEEN
                outlived &= life.at >= self.fresh
                if life.running and row.running: self.confirm(life)
                elif life.running: self.end(life, row.how)
                elif row.running and outlived and life.kind is _AGENT: self.owe(life)
            there = {row.task for row in listed.tasks or ()}
            mates = {row.kind for row in rows} & {_MATE}
            lives = [it for it in self.running(owner) if listed.complete and it.kind not in mates]
            for life in [life for life in lives if name_of(life.key) not in there]:
                self.end(life, HowEnded.VANISHED)
    def deliver(self, tasks: tuple[TaskId, ...]) -> None:
        if self.turn == "open": self.delivers |= set(tasks)
        for task in tasks: self.finish(task, None, HowEnded.COMPLETED, typed=True)
        for life in [life for life in self.lives.values() if life.note == "queued"]:
            if name_of(life.key) in tasks and isinstance(life.key, ReportedId):
                life.note, life.idle = "active" if self.turn == "open" else "settled", self.idle
    def holds(self, *, firm: bool = False) -> _Holds:
        held = {("cron", str(cron)) for cron in self.crons}
        for life in [it for it in self.lives.values() if it.kind is not _UNKNOWN]:
            if firm and life.running and life.silent: continue
            kind = "agent" if life.kind is _MATE else life.kind.value
            if life.running: held.add((kind, name_of(life.key)))
            told = "shell" if kind == "shell" else "notification"
            if life.note not in {"none", "settled"}: held.add((told, name_of(life.key)))
        return frozenset(("shell", "background-shells") if it[0] == "shell" else it for it in held)
    def is_unknown(self) -> bool:
        kids = self.running("roster")
        return self.turn == "unseen" or any(it.silent or it.kind is _UNKNOWN for it in kids)
    def close(self, ignoring: _Holds, *, turn: bool = True) -> CloseWord:
        if self.ended and self.running("registry"): return "undetermined"
        busy = bool(self.asks) or (turn and self.turn == "open")
        if self.holds(firm=True) - ignoring or (busy and not self.ended): return "held"
        lost = any(life.note == "lost" for life in self.lives.values())
        return "undetermined" if not self.ended and (lost or self.is_unknown()) else "closable"
    def read(self) -> Reading:
        kids = [it for it in self.running("roster") if it.kind is not _UNKNOWN and not it.silent]
        owed = self.is_shut() and any(it.note in {"queued", "active"} for it in self.lives.values())
        armed = self.is_shut() and self.turn != "interrupted" and bool(self.crons)
        why = {"lead-turn": self.turn == "open", "continuation": owed, "crons": armed,
            "children": bool(kids)}
        reasons = {word for word, holds in why.items() if holds and not self.ended}
        state: StateWord = ("ended" if self.ended else "waiting" if self.asks else "working"
            if reasons else "unknown" if self.is_unknown() else "done")
        if state == "waiting": reasons = {ask.kind.value for ask in self.asks}
        shells = {life.kind for life in self.lives.values() if life.running} & REGISTRY_KINDS
        return Reading(
            state=state, reasons=tuple(sorted(reasons)),
            confirmed=reasons != {"children"} or any(it.confirmed for it in kids),
            lingering=tuple(sorted(f"{kind}s" for kind in shells)) if state == "done" else (),
            lead="ended" if self.ended else "waiting" if self.asks_of(None) else _LEAD[self.turn],
            holds=tuple(sorted(self.holds())), close=self.close(frozenset()))
def _owner(kind: TaskKind) -> _Owner:
    return "registry" if kind in REGISTRY_KINDS else "roster"
