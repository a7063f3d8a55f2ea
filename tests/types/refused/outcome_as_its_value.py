"""What may have failed is no value yet."""

from gapless.messages import recorded
from gapless.typings import outcome


def again(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> bytes:
    return recorded.encode_row(row)  # refused: arg-type, reportArgumentType


again(recorded.decode_row(b"{}"))
