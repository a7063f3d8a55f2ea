"""Who is called when something happens: added and removed from any thread, each contained."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Generic, ParamSpec, final
from weakref import WeakMethod

from gapless.actors.runtime.logs import contained

Arguments = ParamSpec("Arguments")

_FAILED = "Unhandled exception in a listener to a session:"


def weakly(method: Callable[Arguments, object]) -> Callable[Arguments, None]:
    """Return what calls a bound method as long as somebody else keeps its object."""
    held = WeakMethod(method)

    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        alive = held()
        if alive is not None:
            alive(*args, **kwargs)

    return call


@final
class Listeners(Generic[Arguments]):
    """Callables to be called with the same arguments, in the order in which they were added."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a stream may be collected while one is added
        self._calls: dict[object, Callable[Arguments, object]] = {}

    def add(self, call: Callable[Arguments, object]) -> Callable[[], object]:
        """Call it from now on; return what takes that back."""
        key = object()
        with self._lock:
            self._calls = {**self._calls, key: call}
        return partial(self._remove, key)

    def _remove(self, key: object) -> None:
        with self._lock:
            self._calls = {it: call for it, call in self._calls.items() if it is not key}

    def call(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        """Call all; one that raises is logged, and keeps nobody else from hearing."""
        for call in self._calls.values():
            contained(partial(call, *args, **kwargs), _FAILED)
