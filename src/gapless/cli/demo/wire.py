"""What the lead of the demonstration and its host say to each other, as lines of JSON."""

from __future__ import annotations

from typing import Final, TypeAlias, final

import msgspec
from msgspec import Struct

from gapless.messages.inputs import HarnessInput


@final
class Happened(Struct, frozen=True, kw_only=True, tag="happened"):
    """The lead says what it does."""

    what: HarnessInput


@final
class WantsShell(Struct, frozen=True, kw_only=True, tag="wants-shell"):
    """The lead wants a background shell: only hosts start processes."""

    argv: tuple[str, ...]


LeadSays: TypeAlias = Happened | WantsShell


@final
class Granted(Struct, frozen=True, kw_only=True, tag="granted"):
    """A person gave the permission."""


@final
class GoOn(Struct, frozen=True, kw_only=True, tag="go-on"):
    """Run a turn with this text."""

    text: str


HostSays: TypeAlias = Granted | GoOn

LEAD_SAYS: Final[msgspec.json.Decoder[LeadSays]] = msgspec.json.Decoder(LeadSays)
HOST_SAYS: Final[msgspec.json.Decoder[HostSays]] = msgspec.json.Decoder(HostSays)


def line(said: LeadSays | HostSays) -> bytes:
    """Return it as one line."""
    return msgspec.json.encode(said) + b"\n"
