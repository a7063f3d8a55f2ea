"""What a session has folded so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from msgspec import Struct

from gapless.actors.clock import Clock
from gapless.actors.conversations import NOBODY, Conversations
from gapless.actors.ledger import Ledger
from gapless.messages.session import ChildAsksFact, LeadFact, NotificationFact
from gapless.typings.evidence import Evidence
from gapless.typings.ids import NO_INPUT, InputNumber, OwnerName, QuestionId
from gapless.typings.lead import NeverSeen, TurnClosed, TurnOpen
from gapless.typings.states import Ended
from gapless.typings.view import SessionView


@final
class Gate(Struct, frozen=True, kw_only=True):
    """A close question that waits for the open turn to end by itself.

    Until it is answered no new turn and no continuation of the host begins.
    """

    question: QuestionId
    until_ms: int
    ignoring: frozenset[tuple[str, str]] = frozenset()


@final
class Grant(Struct, frozen=True, kw_only=True):
    """The permit that is outstanding; ``stale`` once the session could not be closed."""

    question: QuestionId
    as_of: InputNumber
    ignoring: frozenset[tuple[str, str]] = frozenset()
    stale: bool = False


@final
class CloseDesk(Struct, frozen=True, kw_only=True):
    """At most one open question, and at most one permit that is good."""

    gate: Gate | None = None
    grant: Grant | None = None


@final
class SessionState(Struct, frozen=True, kw_only=True):
    """Everything folded so far.

    ``folded`` is the last input after which nothing was in doubt for having been lost;
    ``lost`` names the owners that lost an input and have not resent their state since;
    ``torn`` those who had a part in what was lost, and are to send all they have;
    ``resync_due``: that is an input to come; ``resyncs_lost``: how often in a row that was lost
    too; ``voided_by`` is the last event of the harness that the session failed on, until what it
    told is told anew; ``tasks_voided``: it may have told of tasks. ``lapsed`` are the last
    notifications that never came, for ``why``; ``gated``: no harness was heard, only its
    host, so the host runs the session itself; ``hooks_live``: a hook or the bus of the harness was
    heard as it happened. ``view`` is what was published last.
    """

    clock: Clock = Clock()
    upto: InputNumber = NO_INPUT
    folded: InputNumber = NO_INPUT
    lead: LeadFact = LeadFact(number=NO_INPUT, turn=NeverSeen())
    child_asks: ChildAsksFact = ChildAsksFact(number=NO_INPUT, asks=())
    ledger: Ledger = Ledger()
    conversations: Conversations = NOBODY
    ended: Ended | None = None
    ended_by: Evidence | None = None
    closed: bool = False
    cleared_by: Evidence | None = None
    lost: Mapping[OwnerName, Evidence] = {}
    torn: frozenset[OwnerName] = frozenset()
    resync_due: bool = False
    resyncs_lost: int = 0
    voided_by: Evidence | None = None
    tasks_voided: bool = False
    lapsed: tuple[NotificationFact, ...] = ()
    desk: CloseDesk = CloseDesk()
    gated: bool = True
    hooks_live: bool = False
    view: SessionView | None = None

    @property
    def quiet(self) -> bool:
        """Whether nothing of the harness goes on, though the host may have opened a turn."""
        if self.lost:
            return False
        hosted = self.lead.hosted and isinstance(self.lead.turn, TurnOpen)
        asked = self.lead.asks or self.child_asks.asks
        return self.idle or (hosted and not asked and self.ended is None)

    @property
    def idle(self) -> bool:
        """Whether the lead's turn is over and nobody is asked anything, beyond doubt."""
        if self.lost:
            return False
        closed = isinstance(self.lead.turn, TurnClosed)
        asked = self.lead.asks or self.child_asks.asks
        return closed and not asked and self.ended is None
