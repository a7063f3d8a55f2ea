"""What every part of an input carries besides the input itself."""

from __future__ import annotations

from typing import Final, final

from msgspec import Struct

from gapless.typings.evidence import Evidence
from gapless.typings.ids import NO_INPUT, OWNERS, HarnessSessionId, InputNumber, OwnerName


@final
class Moment(Struct, frozen=True, kw_only=True, gc=False):
    """The input a part belongs to, and what the session knew when it sent it.

    ``by`` is the evidence of whatever comes of it. ``number`` is the input it travels in: the
    same, unless a resync sends again what was lost on the way (``again_in``). All that was said
    to inputs up to ``folded`` was heard and folded, so what was over by then may be forgotten.
    ``new_epoch``: this input begins another conversation, ``conversation``; what
    belonged to the former one is void before the input is looked at.
    The rest speaks of the time before this input: whether the lead's turn was over, or may have
    been (``lead_closed``); whether it surely was and nobody asked either (``idle``), for how many
    ms in all that has been so, and for how many at its last turn's end; the same with turns that
    only the host vouches for (``quiet``); whether the session had ended (``over``), and, for a
    timer, whether children were at work (``children``); for a
    word of the status file, whether any of them asked (``others_ask``).
    """

    by: Evidence
    again_in: InputNumber | None = None
    folded: InputNumber = NO_INPUT
    conversation: HarnessSessionId | None = None
    new_epoch: bool = False
    lead_closed: bool = False
    idle: bool = False
    idle_ms: int = 0
    idle_base_ms: int = 0
    quiet: bool = False
    quiet_ms: int = 0
    over: bool = False
    children: bool = False
    others_ask: bool = False

    @property
    def number(self) -> InputNumber:
        """The input this travels in."""
        return self.by.number if self.again_in is None else self.again_in


@final
class Hop(Struct, frozen=True, kw_only=True, gc=False):
    """One way a part of an input goes; an input is over when every hop is answered.

    ``sender`` is ``None`` for the session.
    """

    sender: OwnerName | None
    to: OwnerName

    @property
    def place(self) -> tuple[int, str]:
        """Where what is said to it stands among all that is said to an input, whoever was first."""
        return OWNERS.index(self.to), self.sender or ""


class Addressed(Struct, frozen=True, kw_only=True):
    """A message to an owner, which belongs to an input; each kind has a ``hop``, its way there."""

    moment: Moment


SESSION_TO_LEAD: Final = Hop(sender=None, to="lead")
SESSION_TO_ROSTER: Final = Hop(sender=None, to="roster")
SESSION_TO_REGISTRY: Final = Hop(sender=None, to="registry")
SESSION_TO_DRAIN: Final = Hop(sender=None, to="drain")
LEAD_TO_DRAIN: Final = Hop(sender="lead", to="drain")
DRAIN_TO_LEAD: Final = Hop(sender="drain", to="lead")
