"""The oracle's calls and asks, of the lead and of each child alike."""

from __future__ import annotations

from math import inf

from msgspec.structs import replace

from gapless.messages import inputs as say
from gapless.testing.model._lives import Lives
from gapless.typings.ids import CallId, TaskKey


class Calls(Lives):
    """What happens to calls and asks."""

    def start_call(self, it: say.CallStarted) -> None:
        new = (it.agent, it.call) not in {*self.open, *self.over}
        self.hear(it, it.agent, new=new)
        if not new:
            return
        if it.agent is None and self.is_deaf():
            self.over[None, it.call] = None
            return
        self.listen(it.agent)
        self.open[it.agent, it.call] = it
        self.release([a for a in self.asks_of(it.agent) if a.kind is say.AskKind.QUESTION])
        mine = [ask for ask in self.asks_of(it.agent) if ask.call is None]
        for ask in [ask for ask in mine if ask.digest == it.digest is not None][:1]:
            adopted = self.asks[self.asks.index(ask)] = replace(ask, call=it.call)
            self.raised[adopted] = self.raised[ask]
            self.asked.add((it.agent, it.call))
        if it.agent is None:
            self.carries = set[TaskKey]()
        if it.agent is None:
            self.reopen(it.prompt)

    def is_late(self) -> bool:
        return self.is_shut() and self.t - self.end_of_turn.at <= self.settings.early_end_ms

    def is_deaf(self) -> bool:
        return self.turn == "interrupted" and (not self.end_of_turn.presumed or self.is_late())

    def listen(self, agent: str | None) -> None:
        if agent is None and self.is_shut() and not self.is_late():
            self.forget_asked(None)

    def reopen(self, prompt: str | None) -> None:
        news = prompt is not None and prompt not in self.spent
        if self.turn == "open":
            self.was = None if news else self.was
            return
        ended = self.turn in {"completed", "failed"} and not news and self.is_late()
        self.was = self.end_of_turn if ended else None
        self.resumed, self.turn, self.opened = self.is_shut(), "open", self.t
        self.vouches, self.opens = False, None
        if self.word in {say.StatusWord.IDLE, say.StatusWord.SHELL}:
            self.soon_over(self.t)

    def soon_over(self, begun: float) -> None:
        lag = self.settings.status_lag_ms
        fresh = self.busy >= begun - lag or (self.resumed and self.busy > -inf)
        self.closes = int(begun) + lag if fresh else self.closes

    def end_call(self, it: say.CallEnded) -> None:
        self.hear(it, it.agent)
        if (it.agent, it.call) in self.over:
            return
        alike = [name for name, call in self.open.items() if call.digest == it.digest is not None]
        unnamed = [CallId(call) for agent, call in alike if agent == it.agent and call is not None]
        it = replace(it, call=it.call or next(iter(unnamed), None))
        started, mine = self.open.pop((it.agent, it.call), None), self.asks_of(it.agent)
        own = [ask for ask in mine if ask.call == it.call is not None]
        loose = [
            ask
            for ask in mine
            if ask.call is None
            and (ask.digest == it.digest if ask.digest and it.digest else ask.tool == it.tool != "")
        ]
        own = own or loose[:1]
        self.release(own)
        if own:
            self.asked.add((it.agent, it.call))
        digests = [it.digest, started.digest if started else None, *(ask.digest for ask in own)]
        if it.call is not None:
            self.over[it.agent, it.call] = next(filter(None, digests), None)

    def ask(self, it: say.AskRaised) -> None:
        self.hear(it, it.agent)
        child = self.last("roster", it.agent)
        late = not child.running if child else it.agent is None and self.is_deaf()
        stale = self.turn == "open" and not self.resumed and it.prompt in self.spent
        if late or (it.agent is None and stale):
            return
        self.listen(it.agent)
        mine = [call for (agent, _), call in self.open.items() if agent == it.agent]
        calls = [call.call for call in mine if call.digest == it.digest is not None]
        if it.call is None and len(calls) == 1:
            it = replace(it, call=calls[0])
        known = (it.agent, it.call) in self.over or (it.agent, it.ask) in self.answered
        over = {self.over.get(name) for name in self.asked if name[0] == it.agent} - {None}
        known |= it.call is None and not calls and it.digest in over
        for other in self.asks_of(it.agent):
            known |= other.ask == it.ask is not None or other.call == it.call is not None
            alike = (other.kind, other.call, other.digest) == (it.kind, it.call, it.digest)
            known |= alike and (it.digest is not None or other.ask is it.ask is None)
        if known:
            return
        self.asks.append(it)
        self.raised[it] = self.t
        self.asked.add((it.agent, it.call))
        if it.agent is None:
            self.carries = set[TaskKey]()
        if it.agent is None:
            self.reopen(it.prompt)
