"""A session waits for a person, not for what would be lost."""

from gapless.typings import asks, evidence, holds, ids, states

by = evidence.Evidence(number=ids.InputNumber(1), at_ms=0, source=evidence.Source.HOOK)
hold = holds.AskHold(ask=asks.Question(by=by))
state = states.Waiting(first=hold)  # refused: arg-type, reportArgumentType
