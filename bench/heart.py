"""How many inputs a second do whole sessions take, and how soon is what came of one to be seen?

Beside ours: the same handlers in stock pykka actors, a thread each and five a session, with all
guarantees off: nothing is retried, resent, known twice, put in order after a fault, or timed out.
"""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from collections.abc import Callable
from statistics import quantiles
from typing import Generic, TypeAlias, TypeVar

from pykka import ActorRef, ThreadingActor

from bench.fold import SESSIONS, TURNS, rows
from bench.rounds import Contender, compete
from gapless.actors import drain, lead, registry, roster
from gapless.actors.flight import At, Turned, Turnstile
from gapless.actors.hosting.doing import Effects
from gapless.actors.hosting.session import Known, Session
from gapless.actors.outs import Proceed, Publish, SendPart
from gapless.actors.runtime import ActorSystem, EffectRunner
from gapless.actors.step import Send, Step, ToDrain, ToLead, ToRegistry, ToRoster
from gapless.actors.turn import LeadState
from gapless.actors.turnstile import opened, step
from gapless.messages.drain import DrainMessage
from gapless.messages.inputs import PromptSubmitted
from gapless.messages.lead import LeadMessage
from gapless.messages.registry import RegistryMessage
from gapless.messages.roster import RosterMessage
from gapless.messages.session import GoOn, SessionMessage, Take
from gapless.testing.simulated import SimulatedProcesses
from gapless.typings.evidence import Source
from gapless.typings.ids import SessionId
from gapless.typings.settings import DEFAULTS, Settings

State = TypeVar("State")
Message = TypeVar("Message")

STOCK_SESSIONS = 100
CALLS = 2_000
PATIENCE_S = 600.0


class Group:
    """The five stock actors of one session."""

    def __init__(self, wanted: int, done: threading.Semaphore) -> None:
        self.lead: StockLead = StockOwner.start(self, LeadState(), lead.step)
        self.roster: StockRoster = StockOwner.start(self, roster.RosterState(), roster.step)
        self.registry: StockRegistry = StockOwner.start(
            self, registry.RegistryState(), registry.step
        )
        self.drain: StockDrain = StockOwner.start(self, drain.DrainState(), drain.step)
        self.session = StockSession.start(self, wanted, done)

    def send(self, send: Send) -> None:
        """Tell whoever it is for."""
        match send:
            case ToLead(message=to_lead):
                self.lead.tell(to_lead)
            case ToRoster(message=to_roster):
                self.roster.tell(to_roster)
            case ToRegistry(message=to_registry):
                self.registry.tell(to_registry)
            case ToDrain(message=to_drain):
                self.drain.tell(to_drain)

    def stop(self) -> None:
        """End the threads."""
        for ref in (self.session, self.lead, self.roster, self.registry, self.drain):
            ref.stop()


class StockOwner(ThreadingActor, Generic[State, Message]):
    """An owner's own logic, and nothing else."""

    def __init__(
        self,
        group: Group,
        state: State,
        logic: Callable[[State, Message, Settings], Step[State]],
    ) -> None:
        super().__init__()
        self._group, self._state, self._logic = group, state, logic

    def on_receive(self, message: Message) -> None:
        """Step, and send."""
        self._state, facts, sends = self._logic(self._state, message, DEFAULTS)
        self._group.session.tell(facts)
        for send in sends:
            self._group.send(send)


StockLead: TypeAlias = ActorRef[StockOwner[LeadState, LeadMessage]]
StockRoster: TypeAlias = ActorRef[StockOwner[roster.RosterState, RosterMessage]]
StockRegistry: TypeAlias = ActorRef[StockOwner[registry.RegistryState, RegistryMessage]]
StockDrain: TypeAlias = ActorRef[StockOwner[drain.DrainState, DrainMessage]]


class StockSession(ThreadingActor):
    """The session's own logic, without timers, effects, callers and retries."""

    def __init__(self, group: Group, wanted: int, done: threading.Semaphore) -> None:
        super().__init__()
        self._group, self._wanted, self._done = group, wanted, done
        self._state: Turnstile = opened(DEFAULTS)

    def on_receive(self, message: SessionMessage) -> None:
        """Step, and send."""
        at = At(time.monotonic_ns() // 1_000_000, DEFAULTS)
        turned: Turned = step(self._state, message, at)
        self._state = turned.state
        for out in turned.outs:
            match out:
                case SendPart(send=send):
                    self._group.send(send)
                case Proceed():
                    self.actor_ref.tell(GoOn())
                case Publish(view=view):
                    if view.upto == self._wanted:
                        self._done.release()
                case _:
                    pass


def story() -> list[Known]:
    """Return the inputs of one session's list that come from outside."""
    return [row.what for row in rows() if isinstance(row.what, Known)]


def stock(inputs: list[Known], sessions: int) -> Contender:
    """Tell each session all of it, by stock actors."""

    def run() -> int:
        done = threading.Semaphore(0)
        groups = [Group(len(inputs), done) for _ in range(sessions)]
        for what in inputs:
            for group in groups:
                group.session.tell(Take(what=what, source=Source.HOOK))
        for _ in groups:
            done.acquire()
        for group in groups:
            group.stop()
        return sessions * len(inputs)

    return run


def opened_in(system: ActorSystem, effects: Effects, count: int) -> list[Session]:
    """Open sessions."""
    return [
        Session(
            SessionId(str(number)),
            system,
            effects,
            SimulatedProcesses(),
            DEFAULTS,
            incarnation=1,
            leaving="stop",
        )
        for number in range(count)
    ]


def ours(inputs: list[Known], sessions: int) -> Contender:
    """Tell each session all of it, by the real actors."""

    def run() -> int:
        effects: Effects = EffectRunner(1)
        with ActorSystem() as system:
            heard = opened_in(system, effects, sessions)
            for what in inputs[:-1]:
                for session in heard:
                    session.tell(what, Source.HOOK)
            last = [session.call(inputs[-1], Source.HOOK) for session in heard]
            for reply in last:
                reply.wait(PATIENCE_S).unwrap()
        effects.close()
        return sessions * len(inputs)

    return run


def latency(inputs: list[Known], others: int) -> tuple[float, float]:
    """Return p50 and p99, in us, of a call while ``others`` are told all of the story."""
    effects: Effects = EffectRunner(1)
    times: list[float] = []
    with ActorSystem() as system:
        quiet, *busy = opened_in(system, effects, others + 1)
        over = threading.Event()

        def flood() -> None:
            while not over.is_set():
                replies = [it.call(what, Source.HOOK) for what in inputs[:20] for it in busy]
                for reply in replies:
                    reply.wait(PATIENCE_S).unwrap()

        flooding = threading.Thread(target=flood)
        if busy:
            flooding.start()
        gc.collect()
        gc.freeze()
        for _ in range(CALLS if not busy else CALLS // 10):
            start = time.perf_counter()
            quiet.call(PromptSubmitted(), Source.HOOK).wait(PATIENCE_S)
            times.append((time.perf_counter() - start) * 1e6)
        over.set()
        if busy:
            flooding.join()
        gc.unfreeze()
    effects.close()
    parts = quantiles(times, n=100)
    return parts[49], parts[98]


def bytes_a_session(inputs: list[Known], count: int = 50) -> tuple[int, int]:
    """Return what five actors weigh when opened, and after all turns."""
    effects: Effects = EffectRunner(1)
    weights: list[int] = []
    for part in ([], inputs):
        gc.collect()
        tracemalloc.start()
        with ActorSystem() as system:
            heard = opened_in(system, effects, count)
            for session in heard:
                for what in part:
                    session.call(what, Source.HOOK).wait(PATIENCE_S)
            gc.collect()
            weights.append(tracemalloc.get_traced_memory()[0] // count)
        tracemalloc.stop()
    effects.close()
    return weights[0], weights[1]


def main(rounds: int, *, quick: bool) -> None:
    """Print the table."""
    inputs = story()
    part, many = inputs[:20], SESSIONS // 10 if quick else SESSIONS
    print(f"\nheart: {len(inputs)} inputs in {TURNS} turns; {rounds} rounds, ratio to the first")
    contenders = {
        "stock threads, nothing promised": stock(inputs, 1),
        f"stock threads, {STOCK_SESSIONS} sessions": stock(part, STOCK_SESSIONS),
        "ours, one session": ours(inputs, 1),
        f"ours, {STOCK_SESSIONS} sessions": ours(part, STOCK_SESSIONS),
        f"ours, {many:,} sessions": ours(part, many),
    }
    for line in compete(contenders, rounds):
        print(line, flush=True)
    p50, p99 = latency(inputs, 0)
    print(f"  from an input to its view, quiet: p50 {p50:,.0f} us, p99 {p99:,.0f} us")
    p50, p99 = latency(inputs, 20)
    print(f"  and beside 20 sessions that are flooded: p50 {p50:,.0f} us, p99 {p99:,.0f} us")
    fresh, full = bytes_a_session(inputs)
    print(f"  a session of five actors weighs {fresh:,} bytes, {full:,} after {TURNS} turns")
