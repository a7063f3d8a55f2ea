"""What may have failed is no value yet."""

from gapless.messages import recorded
from gapless.typings import outcome


def again(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> bytes:
    match row:
        case outcome.Success(value):
            return recorded.encode_row(value)
        case outcome.Failure():
            return b""


again(recorded.decode_row(b"{}"))
