"""The oracle's calls and asks, of the lead and of each child alike."""

from __future__ import annotations

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
        self.open[it.agent, it.call] = it
        self.release([a for a in self.asks_of(it.agent) if a.kind is say.AskKind.QUESTION])
        mine = [ask for ask in self.asks_of(it.agent) if ask.call is None]
        for ask in [ask for ask in mine if ask.digest == it.digest is not None][:1]:
            self.asks[self.asks.index(ask)] = replace(ask, call=it.call)
            self.asked.add((it.agent, it.call))
        if it.agent is None:
            self.carries = set[TaskKey]()
        if it.agent is None and self.turn != "interrupted":
            self.reopen()

    def reopen(self) -> None:
        self.resumed = self.resumed if self.turn == "open" else self.is_shut()
        self.turn = "open"

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
        late = not child.running if child else it.agent is None and self.turn == "interrupted"
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
        if late or known:
            return
        self.asks.append(it)
        self.asked.add((it.agent, it.call))
        if it.agent is None:
            self.carries = set[TaskKey]()
        if it.agent is None:
            self.reopen()
