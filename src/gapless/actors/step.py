"""The shape of an owner's logic: ``step(state, message) -> (state, facts, sends)``."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeAlias, TypeVar, final

from gapless.messages.drain import DrainMessage
from gapless.messages.lead import LeadMessage
from gapless.messages.registry import RegistryMessage
from gapless.messages.roster import RosterMessage
from gapless.messages.session import Facts

State = TypeVar("State")


@final
class ToLead(NamedTuple):
    """Send this to the lead."""

    message: LeadMessage


@final
class ToRoster(NamedTuple):
    """Send this to the child roster."""

    message: RosterMessage


@final
class ToRegistry(NamedTuple):
    """Send this to the shell registry."""

    message: RegistryMessage


@final
class ToDrain(NamedTuple):
    """Send this to the notification drain."""

    message: DrainMessage


Send: TypeAlias = ToLead | ToRoster | ToRegistry | ToDrain
"""One message on its way to one owner."""


class Step(NamedTuple, Generic[State]):
    """What one message did: all of it is committed, or none."""

    state: State
    facts: Facts
    sends: tuple[Send, ...] = ()
