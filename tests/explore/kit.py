"""Post that travels: actors that write down what they take, and pass it on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Never

from msgspec import Struct

from gapless.actors.runtime import (
    ActorSystem,
    Answer,
    ManualClock,
    Next,
    Outgoing,
    Ref,
    StepActor,
    SteppedDispatcher,
    to,
)
from gapless.actors.runtime.slips import Slip
from gapless.testing import Fault, Move, Scenario


class Post(Struct, frozen=True, kw_only=True):
    """``route`` says to whom it goes on; ``late_ms`` that it goes on only after so long."""

    name: str
    route: tuple[int, ...] = ()
    late_ms: int | None = None


class Office(StepActor[tuple[str, ...], Post, Never]):
    """Its state is the names of what it took, in order."""

    def __init__(self) -> None:
        super().__init__(())
        self._others: list[Ref[Post, Never]] = []

    def meet(self, others: list[Ref[Post, Never]]) -> None:
        self._others.extend(others)

    def on_ask(self, query: Never, /) -> Answer:
        raise NotImplementedError

    def step(self, state: tuple[str, ...], message: Post, /) -> Next[tuple[str, ...]]:
        return Next((*state, message.name), self.onward(message))

    def onward(self, message: Post) -> tuple[Outgoing, ...]:
        if message.late_ms is not None:
            again = Post(name=f"{message.name}'", route=message.route)
            return (self.later(message.name, message.late_ms, again),)
        if not message.route:
            return ()
        return (
            to(self._others[message.route[0]], Post(name=message.name, route=message.route[1:])),
        )

    def later(self, key: Hashable, delay_ms: int, message: Post) -> Outgoing:
        def send() -> bool:
            self.set_timer(key, delay_ms, message)
            return True

        return Outgoing(send, message, "itself")


Begin = list[tuple[int, Post]]


class Network(Scenario):
    """So many offices; what they get before the race, and what they may get at any time."""

    def __init__(self, offices: int, moves: Begin, before: Begin | None = None) -> None:
        self.offices = [Office() for _ in range(offices)]
        self.refs: list[Ref[Post, Never]] = []
        self._moves = moves
        self._before = before or []
        self.seen: set[tuple[tuple[str, ...], ...]] = set()
        self.final: set[tuple[tuple[str, ...], ...]] = set()

    def begin(self, system: ActorSystem) -> None:
        self.refs = [system.spawn(spawning(office)) for office in self.offices]
        for office in self.offices:
            office.meet(self.refs)
        for place, post in self._before:
            self.refs[place].tell(post)

    def moves(self) -> list[Move]:
        return [Move(post.name, self._telling(place, post)) for place, post in self._moves]

    def _telling(self, place: int, post: Post) -> Callable[[], object]:
        return lambda: self.refs[place].tell(post)

    def losable(self, message: object, /) -> bool:
        return isinstance(message, Post)

    def states(self) -> tuple[tuple[str, ...], ...]:
        return tuple(office.state for office in self.offices)

    def check(self) -> None:
        self.seen.add(self.states())

    def check_at_rest(self) -> None:
        self.final.add(self.states())


def spawning(office: Office) -> Callable[[], Office]:
    return lambda: office


class Run:
    """One run of a network from its beginning, a step at a time."""

    def __init__(self, scenario: Network, fault: Fault | None) -> None:
        self.scenario = scenario
        self._clock, self._stepped = ManualClock(), SteppedDispatcher()
        self._system = ActorSystem(self._stepped, self._clock)
        scenario.begin(self._system)
        self._stepped.run()
        self._moves = {move.name: move.act for move in scenario.moves()}
        self._mailboxes = [ref.mailbox for ref in scenario.refs]
        self._held: list[list[Outgoing]] = [[] for _ in self._mailboxes]
        self._fault = fault
        self._spoiled = fault is None

    def possible(self) -> list[tuple[str, str]]:
        waiting = [place for place, mailbox in enumerate(self._mailboxes) if len(mailbox)]
        steps = [("deliver", str(place)) for place in waiting]
        if not self._spoiled:
            steps += [("spoil", str(place)) for place in waiting if self._can_spoil(place)]
        steps += [("send late", str(place)) for place, held in enumerate(self._held) if held]
        steps += [("move", name) for name in self._moves]
        if not waiting and self._system.timers.next_due_ms() is not None:
            steps.append(("wait", ""))
        return steps

    def take(self, what: str, which: str) -> None:
        match what:
            case "move":
                self._moves.pop(which)()
            case "wait":
                due = self._system.timers.next_due_ms()
                assert due is not None
                self._clock.advance(due - self._clock.now_ms())
                self._system.timers.fire_due()
            case "deliver":
                self._deliver(int(which))
            case "send late":
                self._send_late(int(which))
            case _:
                self._spoiled = True
                self._spoil(int(which))

    def _deliver(self, place: int) -> None:
        self._send_late(place)
        self._stepped.step(self._mailboxes[place])

    def _send_late(self, place: int) -> None:
        held, self._held[place] = self._held[place], []
        for outgoing in held:
            outgoing.send()

    def _next(self, place: int) -> object:
        item = self._mailboxes[place].freeze().items[0]
        return item.peek() if isinstance(item, Slip) else item

    def _can_spoil(self, place: int) -> bool:
        post = self._next(place)
        if not isinstance(post, Post):  # a timer that was set anew
            return False
        sends = bool(post.route) or post.late_ms is not None
        return sends or self._fault is not Fault.DELAYS_OUTBOX

    def _spoil(self, place: int) -> None:
        office, mailbox = self.scenario.offices[place], self._mailboxes[place]
        match self._fault:
            case Fault.REPEATS:
                first = self._next(place)
                self._deliver(place)
                mailbox.post_fact(first)
            case Fault.DELAYS_OUTBOX:
                later: list[Outgoing] = []

                def hold(message: Post) -> tuple[Outgoing, ...]:
                    later.extend(Office.onward(office, message))
                    return ()

                vars(office)["onward"] = hold
                self._deliver(place)
                del vars(office)["onward"]
                self._held[place] = later
            case Fault.LOSES | Fault.RAISES_TWICE:
                if self._fault is Fault.RAISES_TWICE:
                    self._send_late(place)
                item = mailbox.freeze().items[0]
                if isinstance(item, Slip):
                    item.take()
                waiting = mailbox.freeze()
                mailbox.thaw(waiting._replace(items=waiting.items[1:]))
                if not waiting.items[1:]:
                    self._stepped.step(mailbox)  # it was scheduled, and finds nothing
            case _:
                self._deliver(place)  # it raised once, and nothing came of that


class Naive:
    """All schedules of a network, each run from its beginning: slow, and plainly right."""

    def __init__(self, make: Callable[[], Network], fault: Fault | None = None) -> None:
        self._make = make
        self._fault = fault
        self.schedules = 0
        self.seen: set[tuple[tuple[str, ...], ...]] = set()
        self.final: set[tuple[tuple[str, ...], ...]] = set()
        self._follow([])

    def _follow(self, schedule: list[tuple[str, str]]) -> None:
        run = Run(self._make(), self._fault)
        for step in schedule:
            run.take(*step)
        states = run.scenario.states()
        self.seen.add(states)
        possible = run.possible()
        if not possible:
            self.schedules += 1
            self.final.add(states)
        for step in possible:
            self._follow([*schedule, step])
