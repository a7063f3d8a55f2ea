"""One story on both kinds of host: in threads, and on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeAlias, TypeVar

from gapless import Outcome, Pending, Runtime, Session, SessionView
from gapless.messages.inputs import TurnEnded
from gapless.typings.ids import ManagedId
from gapless.typings.outcome import Failure, Success
from gapless.typings.phases import Queued
from gapless.typings.states import Completed
from tests.runtime.kit import PATIENCE_S

Value = TypeVar("Value")
Error = TypeVar("Error")

Story: TypeAlias = Callable[[Runtime], Coroutine[object, object, None]]

ENDED = TurnEnded(outcome=Completed())


def in_threads(story: Story, runtime: Runtime) -> None:
    """Tell a story in a thread that runs no loop: what it awaits is waited for."""
    with runtime:
        coroutine = story(runtime)
        try:
            coroutine.send(None)
        except StopIteration:
            return
        msg = "it awaited what is no Pending: use `come`"
        raise AssertionError(msg)


def on_a_loop(story: Story, start: Callable[[], Runtime]) -> None:
    """Tell a story on an event loop."""

    async def tell() -> None:
        async with start() as runtime:
            await story(runtime)

    asyncio.run(tell())


async def come(pending: Pending[Value, Error]) -> Outcome[Value, object]:
    """Await what is pending on a loop, and wait for it elsewhere."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return pending.wait(PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S):
        return await pending


async def value(pending: Pending[Value, Error]) -> Value:
    """Return what came of it, which has to be good."""
    outcome = await come(pending)
    assert isinstance(outcome, Success), outcome
    return outcome.unwrap()


async def error(pending: Pending[Value, Error]) -> object:
    """Return why nothing came of it."""
    outcome = await come(pending)
    assert isinstance(outcome, Failure), outcome
    return outcome.failure()


async def until(session: Session, true: Callable[[SessionView], bool]) -> SessionView:
    return await value(session.until(true, PATIENCE_S))


def queued(view: SessionView) -> tuple[ManagedId, ...]:
    """Return the shells that ended and whose notification waits for a turn."""
    ended = (it.key for it in view.shells if isinstance(it.notification, Queued))
    return tuple(key for key in ended if isinstance(key, ManagedId))
