"""Whoever asks for a close is answered with a permit, never with a bare yes."""

from gapless.typings import close, holds


def answer(hold: holds.Hold) -> close.CloseAnswer:
    return close.Held(first=hold)


answer(holds.TurnHold())
