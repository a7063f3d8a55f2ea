"""A session waits for at least one ask."""

from gapless.typings import asks, evidence, ids, states

by = evidence.Evidence(number=ids.InputNumber(1), at_ms=0, source=evidence.Source.HOOK)
ask = asks.Permission(by=by)
state = states.Waiting(first=ask)
