"""Where nothing would be lost there is no hold to explain."""

from gapless.typings import close, holds


def explain(held: close.Held) -> tuple[holds.Hold, ...]:
    return held.holds


explain(close.Held(first=holds.TurnHold()))
