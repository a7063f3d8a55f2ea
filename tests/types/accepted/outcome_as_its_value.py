"""What may have failed is no value yet."""

from gapless.messages import recorded
from gapless.typings import ids, outcome


def number(row: recorded.Recorded) -> ids.InputNumber:
    return row.number


def numbered(row: outcome.Outcome[recorded.Recorded, recorded.RowError]) -> ids.InputNumber:
    match row:
        case outcome.Success(value):
            return number(value)
        case outcome.Failure():
            return ids.NO_INPUT


numbered(recorded.decode_row(b"{}"))
