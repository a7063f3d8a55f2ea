"""The oracle's session: whether an input is heeded, what it does, and how the result reads."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import assert_never

from gapless.messages import inputs as say
from gapless.messages.inputs.attribution import FromAgent, FromHarness
from gapless.messages.recorded import Recorded
from gapless.testing.model._lives import (
    AGENT,
    BACKGROUND,
    LEAD,
    MATE,
    UNKNOWN,
    UNSEEN,
    End,
    Holds,
    Life,
    owner_of,
)
from gapless.testing.model._told import Told
from gapless.typings.ids import ReportedId, name_of
from gapless.typings.phases import REGISTRY_KINDS, HowEnded
from gapless.typings.reading import CloseWord, Reading, StateWord

OF_TURNS = say.PromptSubmitted, say.CallStarted, say.CallEnded, say.AskRaised, say.AskAnswered


class Session(Told):
    """One session, an input at a time."""

    def take(self, row: Recorded) -> Reading:
        late = row.at_ms - self.skipped - self.alarm if self.alarm is not None else 0
        jumps = late > self.settings.jump_tolerance_ms and self.alarm != self.jumped
        if jumps:
            self.jumped = self.alarm
        if jumps or row.at_ms < self.at:
            self.skipped += row.at_ms - self.at
        now = max(self.t, row.at_ms - self.skipped)
        if self.is_idle():
            self.idle += now - self.t
        if self.is_quiet():
            self.quiet += now - self.t
        self.t, self.at, self.was_shut = now, row.at_ms, self.is_shut()
        self.fresh, self.newest = now - self.settings.early_end_ms, None
        self.early = {name: end for name, end in self.early.items() if end[0] >= self.fresh}
        void = row.void and not row.lost  # else it was taken, and what came of it is resent
        if void and not self.closed and isinstance(row.what, FromHarness):
            alone = self.voided != "tasks" and isinstance(row.what, OF_TURNS)
            self.voided = "turn" if alone else "tasks"
        elif not (void or self.closed) and self.heeds(row.what):
            self.gone = self.gone and not isinstance(row.what, FromHarness)
            self.handle(row.number, row.what)
            self.hear_anew(row.what)
        if self.permit and self.close(self.permit[2]) != "closable":
            self.permit = None
        gate = [self.gate[1]] if self.gate and self.turn == "open" else []
        gate += [] if self.ended else self.due()
        self.alarm = min([*gate, *(self.t + left for _, left in self.leases())], default=None)
        return self.read()

    def hear_anew(self, it: say.Input) -> None:
        if isinstance(it, say.TurnEnded | say.InventoryListed) and it.inventory is not None:
            whole = it.inventory.tasks is not None and it.inventory.complete
            self.voided = "" if whole else self.voided
        turns = isinstance(it, say.PromptSubmitted | say.TurnEnded | say.TurnInterrupted)
        if turns and self.voided == "turn":
            self.voided = ""

    def leases(self) -> list[tuple[Life, int]]:
        kids = [life for life in self.running("roster") if not life.silent]
        left = [(life, life.at + self.settings.child_lease_ms - self.t) for life in kids]
        notes = [life for life in self.lives.values() if life.note == "queued" and self.is_idle()]
        owed, taken = self.settings.owed_lease_ms - self.idle, self.settings.active_lease_ms
        left += [(note, owed + max(self.base, note.idle)) for note in notes]
        notes = [life for life in self.lives.values() if life.note == "active" and self.is_quiet()]
        return left + [(note, taken + note.idle - self.quiet) for note in notes]

    def heeds(self, it: say.Input) -> bool:
        if isinstance(it, say.ConversationStarted) and it.how is say.Boundary.COMPACT:
            return False
        known = {*self.spent, *self.prompts}
        if isinstance(it, say.PromptSubmitted) and it.prompt in known:
            return False
        again = self.resumed and self.turn == "open" and self.stops[-1]
        if isinstance(it, say.TurnEnded) and it.prompt in {*self.stops} - {again}:
            return False
        bodied = isinstance(it, say.PromptSubmitted) and it.body
        if bodied and self.said.get(bodied, -inf) > self.fresh:
            return False
        opens = isinstance(it, say.ConversationStarted | say.PromptSubmitted)
        deaf = self.ended and not (opens or isinstance(it, say.InventoryListed | say.TaskFinished))
        if deaf and isinstance(it, FromHarness | say.TurnInterrupted | say.ContinuationTaken):
            return False
        if isinstance(it, FromHarness) and not self.belongs(it, opens=opens):
            return False
        if opens:
            self.ended = False
        if bodied:
            self.said[bodied] = self.t
        late = self.turn != "unseen" and self.t - self.first <= self.settings.late_boundary_ms
        if isinstance(it, say.ConversationStarted) and late:
            return False
        leads = isinstance(it, say.PromptSubmitted | say.TurnEnded | say.ConversationStarted)
        leads |= isinstance(it, say.CallStarted | say.AskRaised) and it.agent is None
        if leads and self.first == -inf:
            self.first = self.t
        return True

    def belongs(self, it: FromHarness, *, opens: bool) -> bool:
        self.current = self.current or it.conversation
        if it.conversation is None or it.conversation == self.current:
            self.process = it.process or self.process
            return True
        nested = any(call.shell for (agent, _), call in self.open.items() if agent is None)
        if it.process and self.process:
            shells = any(
                life.running for life in self.lives.values() if life.kind in REGISTRY_KINDS
            )
            nested = it.process != self.process and (nested or shells)
        known = it.conversation in self.others
        if nested:
            self.others.add(it.conversation)
        kid = isinstance(it, say.TaskStarted | say.TaskSeen | say.TaskFinished | say.TeammateParked)
        kid |= isinstance(it, say.AgentsKilled)
        kid |= isinstance(it, FromAgent) and it.agent is not None
        if nested or kid:
            return not nested and not known
        if isinstance(it, say.ConversationEnded) or (known and not opens):
            return False
        self.others = {*self.others, self.current or ""} - {it.conversation}
        self.current, self.first = it.conversation, -inf
        self.newest, self.process = it.conversation, it.process
        self.forget(self.stays, "unseen")
        return True

    def stays(self, life: Life) -> bool:
        mate = life.kind is MATE and life.confirmed
        return mate or life.kind in REGISTRY_KINDS or life.conversation == self.newest is not None

    def handle(self, number: int, it: say.Input) -> None:  # noqa: PLR0915
        heard = {*self.spent, *self.prompts}
        match it:
            case say.PromptSubmitted():
                self.prompt(it)
                self.deliver(it.delivers)
            case say.CallStarted():
                self.start_call(it)
            case say.CallEnded():
                self.end_call(it)
            case say.AskRaised():
                self.ask(it)
            case say.AskAnswered():
                mine = self.asks_of(it.agent)
                self.release(
                    [ask for ask in mine if ask.ask == it.ask is not None]
                    or [ask for ask in mine if ask.call == it.call is not None]
                    or [ask for ask in mine if ask.digest == it.digest is not None]
                )
            case say.TurnEnded() if self.prompts and it.prompt in heard - {self.prompts[-1]}:
                self.spent.add(it.prompt)
                self.stops.append(it.prompt or "")
                self.prompts = [prompt for prompt in self.prompts if prompt != it.prompt]
            case say.TurnEnded():
                self.reconcile(it)
                for life in self.running("roster"):
                    if life.kind is AGENT and life.launch is UNSEEN:
                        life.launch = BACKGROUND
                unseen = it.prompt is not None and it.prompt not in self.spent
                if it.prompt is not None:
                    self.spent.add(it.prompt)
                if it.prompt is not None and it.prompt not in self.stops:
                    self.stops.append(it.prompt)
                outcome = type(it.outcome).__name__.lower()
                if unseen and self.is_shut():
                    self.end_of_turn = End(outcome, self.t)
                self.end_turn(outcome)
            case say.TurnInterrupted() if self.turn == "open" or (
                self.is_shut() and self.end_of_turn.presumed
            ):
                self.end_turn("interrupted")
            case say.TurnEndLogged():
                self.log_ends(it)
            case say.StatusRead():
                self.status(it)
            case say.AgentsKilled():
                self.kill()
            case say.ConversationStarted():
                self.forget(self.stays, "boundary" if it.idle else "unseen")
            case say.ConversationEnded():
                self.forget(lambda life: life.kind in REGISTRY_KINDS, "unseen", managed=False)
                self.ended, self.first = True, -inf
            case say.PaneCleared():
                self.forget(lambda _: False, "unseen", managed=False)
                self.ended, self.first, self.current, self.others = False, -inf, None, set[str]()
                self.process, self.gone = None, True
            case say.TaskStarted():
                self.start(it)
            case say.TaskSeen():
                self.hear(it, it.task)
            case say.TaskFinished():
                self.finish(it.task, it.kind, it.how, typed=it.typed)
            case say.TeammateParked():
                for life in [life for life in self.running("roster") if life.mate == it.teammate]:
                    if life.kind is MATE:
                        self.end(life, HowEnded.PARKED)
            case say.InventoryListed():
                self.reconcile(it)
            case say.TasksRestored():
                for row in it.tasks:
                    known = self.last(owner_of(row.kind), row.task)
                    if not known:
                        self.bear(row.task, row.kind, None).confirmed = False
            case say.SpawnAsked():
                self.shell(it.shell)
            case say.ShellAdopted() | say.EffectDone(outcome=say.Spawned()):
                self.shell(it.shell).confirmed = True
            case say.EffectDone(outcome=say.SpawnFailed()):
                if not self.shell(it.shell).confirmed:
                    self.end(self.shell(it.shell), HowEnded.VOID)
            case say.ShellExited() | say.ShellLost():
                self.end(self.shell(it.shell), HowEnded.LOST)
            case say.NotificationDelivered():
                self.deliver(it.tasks)
            case say.ContinuationTaken() if self.turn != "open" and self.gate is None:
                taken = [self.lives[key] for key in it.keys if key in self.lives]
                for life in [life for life in taken if life.note in {"queued", "late"}]:
                    life.note, life.idle = "active", self.quiet
                    self.turn, self.resumed, self.opened = "open", False, self.t
                    self.was, self.vouches, self.opens = None, False, None
                    self.carries.add(life.key)
            case say.NotificationSettled() | say.NotificationDiscarded() if it.key in self.lives:
                self.settled.add(it.key)
                for life in self.lives.values():
                    if life.key == it.key and life.note != "none":
                        life.note = "settled"
                if self.carries and self.carries <= self.settled:
                    self.end_turn("completed")
            case say.CloseAsked() if self.gate is None:
                ignoring, waits = frozenset(it.ignoring), it.drain_ms is not None and not self.ended
                waits = waits and self.close(ignoring, turn=False) == "closable"
                if self.close(ignoring) == "closable":
                    self.permit = (it.question, number, ignoring)
                elif waits:
                    self.gate = (it.question, self.t + (it.drain_ms or 0), ignoring)
            case say.CloseRound() if self.gate and self.gate[0] == it.question:
                self.permit, self.gate = (it.question, number, self.gate[2]), None
            case say.CloseUsed() if self.permit and self.permit[:2] == (it.question, it.as_of):
                self.closed = self.ended = True
            case say.CloseForced():
                self.closed = self.ended = True
            case say.TimerFired():
                kids = [it for it in self.running("roster") if it.kind is not UNKNOWN]
                children = any(not it.silent for it in kids)
                for life in [life for life, left in self.leases() if left <= 0]:
                    if life.running:
                        life.silent = True
                    elif life.note == "active":
                        life.note = "lost"
                    else:
                        life.note = "settled" if isinstance(life.key, ReportedId) else "late"
                self.look_again(children=children)
                if self.gate and self.t >= self.gate[1]:
                    self.gate = None
            case say.TurnInterrupted() | say.ContinuationTaken() | say.EffectDone():
                pass
            case say.NotificationSettled() | say.NotificationDiscarded():
                pass
            case say.CloseAsked() | say.CloseRound() | say.CloseUsed() | say.ResyncAsked():
                pass
            case say.StopAsked() | say.ShellGrew() | say.ShellPolled() | say.CpuSampled():
                pass
            case say.ClaimMade() | say.PaneCaptured() | say.PaneTurnMarked():
                pass
            case _:
                assert_never(it)

    def forget(self, stays: Callable[[Life], bool], turn: str, *, managed: bool = True) -> None:
        self.voided = ""
        self.leave_turn(End(turn, self.t))
        self.forget_asked(None)
        self.release(self.asks)
        self.crons, self.early = set[str](), {}
        for life in self.lives.values():
            reported = isinstance(life.key, ReportedId)
            if reported and not stays(life):
                self.end(life, HowEnded.VOID)
            if life.note != "none" and (managed or reported):
                life.note = "settled"

    def holds(self, *, firm: bool = False) -> Holds:
        held = {("cron", str(cron)) for cron in self.crons}
        for life in [it for it in self.lives.values() if it.kind is not UNKNOWN]:
            if firm and life.running and life.silent:
                continue
            kind = "agent" if life.kind is MATE else life.kind.value
            if life.running:
                held.add((kind, name_of(life.key)))
            told = "shell" if kind == "shell" else "notification"
            if life.note not in {"none", "settled"}:
                held.add((told, name_of(life.key)))
        return frozenset(("shell", "background-shells") if it[0] == "shell" else it for it in held)

    def is_unknown(self) -> bool:
        kids = self.running("roster")
        strange = any(it.silent or it.kind is UNKNOWN for it in kids)
        return bool(self.voided) or self.gone or self.turn == "unseen" or strange

    def close(self, ignoring: Holds, *, turn: bool = True) -> CloseWord:
        lost = not self.ended and any(life.note == "lost" for life in self.lives.values())
        if lost or (self.ended and (self.voided or self.running("registry"))):
            return "undetermined"
        busy = bool(self.asks) or (turn and self.turn == "open")
        if self.holds(firm=True) - ignoring or (busy and not self.ended):
            return "held"
        unheard = self.is_shut() and self.end_of_turn.unheard
        unsure = not self.ended and (self.is_unknown() or unheard)
        return "undetermined" if unsure else "closable"

    def read(self) -> Reading:
        kids = [it for it in self.running("roster") if it.kind is not UNKNOWN and not it.silent]
        owed = self.is_shut() and any(it.note in {"queued", "active"} for it in self.lives.values())
        armed = self.is_shut() and self.turn != "interrupted" and bool(self.crons)
        why = {
            "lead-turn": self.turn == "open",
            "continuation": owed,
            "crons": armed,
            "children": bool(kids),
        }
        reasons = {word for word, holds in why.items() if holds and not self.ended}
        state: StateWord = (
            "ended"
            if self.ended
            else "waiting"
            if self.asks
            else "working"
            if reasons
            else "unknown"
            if self.is_unknown()
            else "done"
        )
        if state == "waiting":
            reasons = {ask.kind.value for ask in self.asks}
        shells = {life.kind for life in self.lives.values() if life.running} & REGISTRY_KINDS
        return Reading(
            state=state,
            reasons=tuple(sorted(reasons)),
            confirmed=reasons != {"children"} or any(it.confirmed for it in kids),
            lingering=tuple(sorted(f"{kind}s" for kind in shells)) if state == "done" else (),
            lead="ended" if self.ended else "waiting" if self.asks_of(None) else LEAD[self.turn],
            holds=tuple(sorted(self.holds())),
            close=self.close(frozenset()),
        )
