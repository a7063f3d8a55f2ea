"""A dispatcher says what becomes of a thread that waits."""

from collections.abc import Callable

from gapless.actors.runtime import ActorSystem
from gapless.actors.runtime.dispatch import Runnable


class Idle:
    def submit(self, mailbox: Runnable, /) -> None: ...

    def lend(self, done: Callable[[], bool], /) -> None: ...

    def close(self, *, wait: bool = True) -> None: ...


def begin() -> ActorSystem:
    return ActorSystem(Idle())
