"""The heart of one session: five actors, wired to each other and to the world.

The session's actor numbers and folds (``turnstile``), four owners know (``lead``, ``roster``,
``registry``, ``drain``). They are spawned together, know each other through their ``Wiring``, and
send each other nothing until the first input. What a session does to the world goes through its
``Ports``: views, effects and edges, each handed on once its state is committed, in order.
"""

from __future__ import annotations

from typing import NamedTuple, Never, Protocol, assert_never, final

from gapless.actors.drain import NotificationDrain
from gapless.actors.flight import At, Turned, Turnstile
from gapless.actors.lead import Lead
from gapless.actors.outs import (
    Announce,
    CancelTimer,
    Out,
    Proceed,
    Publish,
    Release,
    Reply,
    SendPart,
    StartTimer,
)
from gapless.actors.owner import Wiring
from gapless.actors.registry import ShellRegistry
from gapless.actors.roster import ChildRoster
from gapless.actors.runtime import ActorSystem, Answer, Next, Outgoing, Ref, StepActor
from gapless.actors.runtime.limits import shown
from gapless.actors.runtime.mailbox import Mailbox
from gapless.actors.turnstile import fail, opened, step
from gapless.messages.session import GoOn, SessionMessage
from gapless.typings.settings import Settings


class Ports(Protocol):
    """Where a session's views, effects and edges go; each returns a message on its way there."""

    def publish(self, what: Publish, /) -> Outgoing:
        """Show a view, and put its row on the list."""
        ...

    def release(self, what: Release, /) -> Outgoing:
        """Do something in the world, and tell the session what came of it, as an input."""
        ...

    def announce(self, what: Announce, /) -> Outgoing:
        """Tell whoever wants to know."""
        ...


@final
class SessionActor(StepActor[Turnstile, SessionMessage, Never]):
    """The only one who numbers, folds and publishes."""

    def __init__(self, wiring: Wiring, ports: Ports, settings: Settings) -> None:
        super().__init__(opened(settings))
        self._wiring = wiring
        self._ports = ports
        self._settings = settings

    def on_ask(self, query: Never, /) -> Answer:
        """Never called: a session is told, and answers its callers."""
        assert_never(query)

    def step(self, state: Turnstile, message: SessionMessage, /) -> Next[Turnstile]:
        """Take one message."""
        return self._next(step(state, message, self._at()))

    def parked(
        self, state: Turnstile, message: SessionMessage, error: BaseException, /
    ) -> Next[Turnstile]:
        """Void the input it failed on, or count as lost what it could not fold."""
        return self._next(fail(state, message, shown(error), self._at()))

    def _at(self) -> At:
        return At(self.system.clock.now_ms(), self._settings)

    def _next(self, turned: Turned) -> Next[Turnstile]:
        return Next(turned.state, tuple(map(self._outgoing, turned.outs)))

    def _outgoing(self, out: Out) -> Outgoing:
        match out:
            case SendPart(send=send):
                return self._wiring.outgoing(send)
            case Publish():
                return self._ports.publish(out)
            case Release():
                return self._ports.release(out)
            case Announce():
                return self._ports.announce(out)
            case Reply() | StartTimer() | CancelTimer() | Proceed():
                return Outgoing(lambda: self._do(out), out, self.label)
            case _:
                assert_never(out)

    def _do(self, out: Reply | StartTimer | CancelTimer | Proceed) -> bool:
        """Carry out what concerns nobody but the session itself, and its callers."""
        match out:
            case Reply(caller=caller, outcome=outcome):
                caller(outcome)
            case StartTimer(timer=timer, delay_ms=delay_ms, message=message):
                self.set_timer(timer, delay_ms, message)
            case CancelTimer(timer=timer):
                self.cancel_timer(timer)
            case Proceed():
                self.me.tell(GoOn())
            case _:
                assert_never(out)
        return True


class Heart(NamedTuple):
    """The five actors of one session."""

    session: SessionActor
    lead: Lead
    roster: ChildRoster
    registry: ShellRegistry
    drain: NotificationDrain

    @property
    def ref(self) -> Ref[SessionMessage, Never]:
        """Where the session is told."""
        return self.session.me

    @property
    def mailboxes(self) -> tuple[Mailbox, ...]:
        """The mailboxes of all five, in the order in which they are to end."""
        owners = (self.lead, self.roster, self.registry, self.drain)
        return (self.session.mailbox, *(it.mailbox for it in owners))


def spawn_heart(system: ActorSystem, ports: Ports, settings: Settings) -> Heart:
    """Spawn the five actors of a session, owners first: the session is stopped first."""
    wiring = Wiring()
    heart = Heart(
        session=SessionActor(wiring, ports, settings),
        lead=Lead(wiring, settings),
        roster=ChildRoster(wiring, settings),
        registry=ShellRegistry(wiring, settings),
        drain=NotificationDrain(wiring, settings),
    )
    wiring.lead = system.spawn(lambda: heart.lead)
    wiring.roster = system.spawn(lambda: heart.roster)
    wiring.registry = system.spawn(lambda: heart.registry)
    wiring.drain = system.spawn(lambda: heart.drain)
    wiring.session = system.spawn(lambda: heart.session)
    return heart
