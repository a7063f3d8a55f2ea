"""One row of a session's list of inputs: the journal, the recording and the wire form."""

from __future__ import annotations

from typing import Final, TypeAlias, final

import msgspec
from msgspec import Struct

from gapless.messages.inputs import Input
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import InputNumber, OwnerName
from gapless.typings.outcome import Failure, Outcome, Success


@final
class Recorded(Struct, frozen=True, kw_only=True):
    """One numbered input and what became of it.

    ``at_ms`` is the host's awake monotonic clock, never going back. ``lost``
    names the owners whose part of this input was lost, ``void`` says that the session
    itself failed on it: with both in the list, the list alone still gives the views.
    """

    number: InputNumber
    at_ms: int
    source: Source
    what: Input
    provenance: Provenance = Provenance.LIVE
    lost: tuple[OwnerName, ...] = ()
    void: bool = False


MAX_ROW_BYTES: Final = 1 << 20
"""The longest row that is read. The schema bounds its depth, this bounds everything else."""


@final
class TooLarge(Struct, frozen=True, kw_only=True, gc=False, tag="too-large"):
    """The row was not looked at: it has more than ``MAX_ROW_BYTES`` bytes."""

    size: int


@final
class Malformed(Struct, frozen=True, kw_only=True, gc=False, tag="malformed"):
    """The row is not a recorded input; ``reason`` names the path (``at `$.what.task```)."""

    reason: str


RowError: TypeAlias = TooLarge | Malformed

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[Recorded]] = msgspec.json.Decoder(Recorded)


def encode_row(row: Recorded) -> Outcome[bytes, RowError]:
    """Return ``row`` as one line of JSON without the line's end, if it could be read again."""
    try:
        line = _ENCODER.encode(row)
    except (UnicodeEncodeError, msgspec.MsgspecError) as error:
        return Failure(Malformed(reason=str(error)))
    return Success(line) if len(line) <= MAX_ROW_BYTES else Failure(TooLarge(size=len(line)))


def decode_row(line: bytes) -> Outcome[Recorded, RowError]:
    """Read one line of JSON, strictly; unknown members are ignored, so old readers live on."""
    if len(line) > MAX_ROW_BYTES:
        return Failure(TooLarge(size=len(line)))
    try:
        return Success(_DECODER.decode(line))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return Failure(Malformed(reason=str(error)))
