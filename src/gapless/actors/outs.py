"""What a session's actor has done once its state is committed."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from gapless.actors.step import Send
from gapless.messages.answers import CallOutcome
from gapless.messages.effects import Effect
from gapless.messages.recorded import Recorded
from gapless.messages.session import Caller, SessionMessage
from gapless.typings.edges import Edge
from gapless.typings.view import SessionView

Timer: TypeAlias = Literal["alarm", "parts", "ask", "effects"]
"""What a session waits for: a deadline of its own, its owners, a person, the world."""


class SendPart(NamedTuple):
    """Send this to its owner."""

    send: Send


class Publish(NamedTuple):
    """Show this view; the row is its place in the list of inputs."""

    row: Recorded
    view: SessionView


class Release(NamedTuple):
    """Do this in the world, unless it is being done or was done already."""

    effect: Effect


class Reply(NamedTuple):
    """Answer whoever called."""

    caller: Caller
    outcome: CallOutcome


class Announce(NamedTuple):
    """Tell whoever wants to know."""

    edge: Edge


class StartTimer(NamedTuple):
    """Tell the session this in ``delay_ms``, instead of whatever ``timer`` was set to."""

    timer: Timer
    delay_ms: int
    message: SessionMessage


class CancelTimer(NamedTuple):
    """Forget a timer, if it is set."""

    timer: Timer


class Proceed(NamedTuple):
    """Go on with what waits."""


Out: TypeAlias = (
    SendPart | Publish | Release | Reply | Announce | StartTimer | CancelTimer | Proceed
)
