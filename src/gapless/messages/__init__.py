"""What is said: the inputs of a session, and what its owners tell each other."""

from __future__ import annotations

from gapless.messages.recorded import (
    MAX_ROW_BYTES,
    Malformed,
    Recorded,
    RowError,
    TooLarge,
    decode_row,
    encode_row,
)

__all__ = [
    "MAX_ROW_BYTES",
    "Malformed",
    "Recorded",
    "RowError",
    "TooLarge",
    "decode_row",
    "encode_row",
]
