"""What may have failed is no value yet."""

from gapless.messages import recorded
from gapless.typings import ids, outcome


def number(row: recorded.Recorded) -> ids.InputNumber:
    return row.number


def numbered(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> ids.InputNumber:
    return number(row)  # refused: arg-type, reportArgumentType


numbered(recorded.decode_row(b"{}"))
