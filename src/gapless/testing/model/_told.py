"""What the log and the status file tell the oracle, for what sends no hook."""

from __future__ import annotations

from math import inf

from gapless.messages import inputs as say
from gapless.testing.model._calls import Calls
from gapless.testing.model._lives import AGENT, UNKNOWN, UNNAMED, End, Life
from gapless.typings.ids import TaskId, TaskKey, lane_of, name_of
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.states import Interrupted

AT_REST = {say.StatusWord.IDLE, say.StatusWord.SHELL}
UNLISTED = "background-agents-"


class Told(Calls):
    """What happens to the lead's turn, by whatever tells of it."""

    def end_turn(self, turn: str, *, presumed: bool = False, unheard: bool = False) -> None:
        for life in self.lives.values() if self.turn == "open" else ():
            if life.note in {"active", "lost"}:
                life.note = "settled"
        before = self.was if self.turn == "open" else self.end_of_turn if self.is_shut() else None
        end = End(turn, self.t, presumed, unheard)
        if before is not None and before.rank() >= end.rank():
            end = before
        self.leave_turn(end)

    def leave_turn(self, end: End) -> None:
        if self.turn == "open" and end.turn != "unseen":
            self.base = self.idle
        self.spent |= set(self.prompts)
        self.turn, self.end_of_turn, self.prompts = end.turn, end, list[str | None]()
        self.carries, self.delivers, self.was = set[TaskKey](), set[str](), None
        self.clear(None, for_good=False)
        self.tell_anew()

    def tell_anew(self) -> None:
        self.vouches, self.joined, self.early_cut = False, -inf, -inf
        self.logged = self.opens = self.closes = None

    def prompt(self, it: say.PromptSubmitted) -> None:
        early = self.t - self.early_cut <= self.settings.early_end_ms
        joins = self.turn == "open" and not self.vouches
        joins = joins or (self.turn == "interrupted" and self.is_late())
        if self.turn != "open":
            self.forget_asked(None)
            self.opened = self.t
        self.turn, self.carries, self.resumed, self.was = "open", set[TaskKey](), False, None
        if it.prompt is not None:
            self.prompts.append(it.prompt)
        if it.typed:
            self.release(self.asks)
        self.tell_anew()
        self.joined = self.t if joins else -inf
        if self.word in AT_REST:
            self.soon_over(self.t)
        if early and not joins and not it.delivers:
            self.cut_short()

    def log_ends(self, it: say.TurnEndLogged) -> None:
        self.count(it.agents)
        cut, window = isinstance(it.outcome, Interrupted), self.settings.status_lag_ms
        if it.prompt is not None and it.prompt in self.spent and it.prompt not in self.prompts:
            return
        if self.turn != "open":
            self.early_cut = self.t if cut and self.turn != "interrupted" else self.early_cut
        elif it.prompt in self.prompts[:-1] and it.prompt is not None:
            self.spent.add(it.prompt)
            self.prompts = [prompt for prompt in self.prompts if prompt != it.prompt]
        elif (it.prompt is None and self.t - self.joined <= window) or (
            it.prompt is None and not cut and self.t - self.opened <= window
        ):
            return
        elif cut:
            self.cut_short()
        else:
            self.logged = (self.t, type(it.outcome).__name__.lower())

    def count(self, agents: int | None) -> None:
        mine = [life for life in self.running("roster") if life.kind is AGENT]
        unlisted = [it for it in self.running("roster") if self.is_unlisted(it)]
        if agents is None:
            return
        if agents > len(mine) and not unlisted:
            count = sum(lane_of(key) == "roster" for key in self.lives)
            self.bear(TaskId(f"{UNLISTED}{count + 1}"), UNKNOWN, None)
        self.was_shut = True
        for life in unlisted if agents <= len(mine) else ():
            self.end(life, HowEnded.VOID)
        for life in mine if not agents else ():
            if life.at < self.fresh:
                self.end(life, HowEnded.VANISHED)

    def is_unlisted(self, life: Life) -> bool:
        return name_of(life.key).startswith(UNLISTED)

    def kill(self) -> None:
        for life in self.running("roster"):
            if life.kind is AGENT or self.is_unlisted(life):
                self.end(life, HowEnded.STOPPED)

    def status(self, it: say.StatusRead) -> None:
        self.look_for_shells(it.word)
        lag = self.settings.status_lag_ms
        stamp = inf if self.stamp is None else self.stamp
        if it.changed_ms is not None and 0 <= stamp - it.changed_ms <= lag:
            return
        if it.word is say.StatusWord.BUSY and self.shown is not None and len(self.asks) == 1:
            self.release([ask for ask in self.asks_of(None) if self.raised[ask] <= self.shown])
        if it.word is not self.word:
            self.opens = self.closes = None
            self.shown = self.t if it.word is say.StatusWord.WAITING else None
        self.word, self.stamp = it.word, it.changed_ms
        if it.word in {say.StatusWord.BUSY, say.StatusWord.WAITING}:
            self.busy = self.t
            deaf = self.turn == "interrupted" and not self.end_of_turn.presumed
            if self.turn == "unseen" or (self.is_shut() and self.vouches):
                self.open_for_file()
            elif self.is_shut() and not deaf and it.word is say.StatusWord.BUSY:
                self.opens = self.opens or self.t + lag
        elif it.word in AT_REST and self.turn == "open":
            begun = max(self.opened, self.joined)
            if self.t - begun > lag:
                self.presume_interrupt()
            else:
                self.soon_over(begun)
        elif it.word in AT_REST and self.turn == "unseen":
            self.turn, self.end_of_turn = (
                "boundary",
                End("boundary", self.t, presumed=True, unheard=True),
            )
            self.vouches = True
        elif it.word not in AT_REST and self.knows_alone():
            self.base, self.turn = self.idle, "unseen"
            self.tell_anew()

    def knows_alone(self) -> bool:
        return self.vouches and (self.turn == "open" or self.first == -inf)

    def look_for_shells(self, word: say.StatusWord) -> None:
        since = self.idle - self.base if self.is_idle() else 0
        followed, self.shell_said = self.shell_said, word is say.StatusWord.SHELL
        if self.shell_said and not self.reported():
            self.bear(UNNAMED, TaskKind.SHELL, None)
        if word is not say.StatusWord.IDLE:
            return
        self.name_shells()
        for life in self.reported():
            if followed and since > self.settings.status_lag_ms:
                self.end(life, HowEnded.VANISHED)

    def presume_interrupt(self) -> None:
        self.cut_short(unheard=True)
        self.vouches = True

    def cut_short(self, *, unheard: bool = False) -> None:
        self.end_turn("interrupted", presumed=True, unheard=unheard or self.first == -inf)

    def open_for_file(self) -> None:
        self.resumed, self.was = self.is_shut(), None
        self.turn, self.opened = "open", self.t
        self.vouches, self.opens = True, None

    def due(self) -> list[int]:
        window, end = self.settings.early_end_ms, self.end_of_turn
        due = [at for at in (self.opens, self.closes) if at is not None]
        due += [self.logged[0] + window] if self.logged else []
        due += [self.was.at + window] if self.was and self.turn == "open" else []
        waits = self.is_shut() and end.unheard and self.first > -inf
        return due + ([end.at + window] if waits else [])

    def look_again(self, *, children: bool) -> None:
        window, end = self.settings.early_end_ms, self.end_of_turn
        if self.turn == "open" and self.was and self.t - self.was.at >= window:
            if any(agent is None for agent, _ in self.open):
                self.was = None
            else:
                was = self.was
                self.end_turn(was.turn, presumed=was.presumed, unheard=was.unheard)
                return
        if self.turn == "open":
            if self.logged and self.t - self.logged[0] >= window:
                self.end_turn(self.logged[1], presumed=True)
            elif self.closes is not None and self.t >= self.closes:
                self.presume_interrupt()
            return
        if end.unheard and self.first > -inf and self.t - end.at >= window:
            self.end_of_turn = End(end.turn, end.at, end.presumed)
        if self.opens is not None and self.t >= self.opens:
            self.opens = None
            if not children:
                self.open_for_file()
