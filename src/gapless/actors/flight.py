"""A session's actor as it stands, and the input that it is working on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, final

from msgspec import Struct

from gapless.actors.line import Line
from gapless.actors.outs import Out
from gapless.actors.session import Begun
from gapless.actors.state import SessionState
from gapless.messages.effects import Effect
from gapless.messages.moment import Hop
from gapless.messages.recorded import Recorded
from gapless.messages.session import Caller, Said
from gapless.typings.ids import InputNumber, ManagedId, QuestionId
from gapless.typings.settings import Settings
from gapless.typings.view import SessionView

EffectKey: TypeAlias = tuple[str, ManagedId]


@final
class Flight(Struct, frozen=True, kw_only=True):
    """The input that is being worked on: which ways its messages went, and what was said."""

    row: Recorded
    begun: Begun
    caller: Caller | None
    sent: frozenset[Hop]
    said: Mapping[Hop, Said] = {}

    @property
    def silent(self) -> frozenset[Hop]:
        """The ways that are not answered yet."""
        return self.sent - self.said.keys()


@final
class Turnstile(Struct, frozen=True, kw_only=True):
    """The session's actor as it stands: what was folded, and what is going on.

    ``torn`` are the callers of torn inputs, ``asking`` those who wait for a close question's
    answer; ``released`` the effects whose outcome is not known yet; ``ring_ms`` is when the
    alarm is set for, on the host's clock.
    """

    session: SessionState
    view: SessionView
    line: Line = Line()
    flight: Flight | None = None
    torn: tuple[Caller, ...] = ()
    asking: Mapping[QuestionId, Caller] = {}
    released: Mapping[EffectKey, Effect] = {}
    ring_ms: int | None = None

    def flying(self, number: InputNumber) -> Flight | None:
        """Return the input that is being worked on, if it is this one."""
        flight = self.flight
        return flight if flight is not None and flight.row.number == number else None


class Turned(NamedTuple):
    """The next state, and what is to be done once it is committed, in this order."""

    state: Turnstile
    outs: tuple[Out, ...] = ()


class At(NamedTuple):
    """The time on the host's clock, and what the session goes by."""

    now_ms: int
    settings: Settings
