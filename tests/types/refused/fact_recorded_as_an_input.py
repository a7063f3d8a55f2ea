"""A session's list keeps what was said, never what an owner concluded from it."""

from gapless.messages import inputs, recorded, session
from gapless.typings import evidence, ids

NUMBER = ids.InputNumber(1)
HOST = evidence.Source.HOST


def row(what: inputs.Input) -> recorded.Recorded:
    return recorded.Recorded(number=NUMBER, at_ms=0, source=HOST, what=what)


def keep(said: inputs.Input, concluded: session.Fact) -> recorded.Recorded:
    return row(concluded)  # refused: arg-type, reportArgumentType
