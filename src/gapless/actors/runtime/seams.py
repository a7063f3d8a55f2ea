"""Every private name of pykka that the runtime rests on, and nothing else.

pykka offers three extension points (``_create_actor_inbox``, ``_create_future``,
``_start_actor_loop``) and keeps its envelope, its stop message and its future's sentinel to itself.
What is needed of those is fetched here alone, so that a new pykka breaks in one place; its own
test suite, run on our dispatchers, says whether it did.
"""

from __future__ import annotations

from types import TracebackType
from typing import Final, TypeAlias, TypeGuard

from pykka import Future, messages
from pykka._actor import ActorInbox
from pykka._envelope import Envelope
from pykka._future import _Unset  # pyright: ignore[reportPrivateUsage]
from pykka.messages import _ActorStop  # pyright: ignore[reportPrivateUsage]

ExcInfo: TypeAlias = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]
"""What ``sys.exc_info()`` returns."""

UNSET: Final = _Unset()
"""pykka's own "not set", made once instead of once a future."""

CONTROL: Final = frozenset(
    {_ActorStop, messages.ProxyCall, messages.ProxyGetAttr, messages.ProxySetAttr}
)
"""Messages that pykka handles itself; every other one is the actor's own."""


def is_envelope(item: object) -> TypeGuard[Envelope[object]]:
    """Whether this is a message in pykka's envelope, and not a bare one."""
    return type(item) is Envelope


def is_stop(message: object) -> bool:
    """Whether pykka means the actor to stop."""
    return type(message) is _ActorStop


def stop_request(reply: Future[None]) -> Envelope[object]:
    """Return pykka's own request to stop, answered with ``None`` once it is carried out."""
    return Envelope[object](_ActorStop(), reply_to=reply)


__all__ = [
    "CONTROL",
    "UNSET",
    "ActorInbox",
    "Envelope",
    "ExcInfo",
    "is_envelope",
    "is_stop",
    "stop_request",
]
