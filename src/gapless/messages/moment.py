"""What every part of an input carries besides the input itself."""

from __future__ import annotations

from typing import final

from msgspec import Struct

from gapless.typings.evidence import Evidence
from gapless.typings.ids import HarnessSessionId, OwnerName


@final
class Moment(Struct, frozen=True, kw_only=True, gc=False):
    """The input a part belongs to, and what the session knew when it sent it.

    ``new_epoch``: this input begins another conversation, ``conversation``; what
    belonged to the former one is void before the input is looked at.
    The rest speaks of the time before this input: whether the lead's turn was over
    (``lead_closed``) and nobody asked either (``idle``), for how many ms in all that has been
    so, and for how many at its last turn's end; the same with turns that only the host vouches
    for (``quiet``); and whether the session had ended (``over``).
    """

    by: Evidence
    conversation: HarnessSessionId | None = None
    new_epoch: bool = False
    lead_closed: bool = False
    idle: bool = False
    idle_ms: int = 0
    idle_base_ms: int = 0
    quiet: bool = False
    quiet_ms: int = 0
    over: bool = False


@final
class Hop(Struct, frozen=True, kw_only=True, gc=False):
    """One way a part of an input goes; an input is over when every hop is answered.

    ``sender`` is ``None`` for the session.
    """

    sender: OwnerName | None
    to: OwnerName
