"""Tell what a coding agent's session is doing, whether it may be closed, and whether it is stuck.

Everything a host needs is named here; plugin authors find the rest in ``gapless.typings`` (the
answers), ``gapless.messages.inputs`` (what can be told) and ``gapless.testing``.

Nothing is loaded until it is used: to import ``gapless`` costs a program that needs only a part
of it, as a hook does, nothing for the others.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true to type checkers alone, which know the name; `typing` costs 10 ms

if TYPE_CHECKING:
    from gapless.actors.hosting import (
        CallFailure,
        Change,
        Changes,
        Continuation,
        Continuations,
        Known,
        Missed,
        NotEnded,
        NotSeen,
        NotTaken,
        Pending,
        Runtime,
        Session,
    )
    from gapless.actors.runtime import (
        AskFailure,
        AskGone,
        Cyclic,
        Faulted,
        TimedOut,
        WouldBlock,
    )
    from gapless.messages.answers import Busy, Called, Fault, Ignored
    from gapless.typings.outcome import Failure, Outcome, Success
    from gapless.typings.view import SessionView
else:
    _HOMES = {
        "AskFailure": "gapless.actors.runtime",
        "AskGone": "gapless.actors.runtime",
        "Busy": "gapless.messages.answers",
        "Called": "gapless.messages.answers",
        "Cyclic": "gapless.actors.runtime",
        "Fault": "gapless.messages.answers",
        "Faulted": "gapless.actors.runtime",
        "Ignored": "gapless.messages.answers",
        "TimedOut": "gapless.actors.runtime",
        "WouldBlock": "gapless.actors.runtime",
        "Failure": "gapless.typings.outcome",
        "Outcome": "gapless.typings.outcome",
        "SessionView": "gapless.typings.view",
        "Success": "gapless.typings.outcome",
    }

    def __getattr__(name: str) -> object:
        """Load a name of the public face when it is first asked for."""
        from importlib import import_module  # noqa: PLC0415 - not before it is needed

        if name not in __all__:
            msg = f"module 'gapless' has no attribute {name!r}"
            raise AttributeError(msg)
        value = getattr(import_module(_HOMES.get(name, "gapless.actors.hosting")), name)
        globals()[name] = value
        return value


__all__ = [
    "AskFailure",
    "AskGone",
    "Busy",
    "CallFailure",
    "Called",
    "Change",
    "Changes",
    "Continuation",
    "Continuations",
    "Cyclic",
    "Failure",
    "Fault",
    "Faulted",
    "Ignored",
    "Known",
    "Missed",
    "NotEnded",
    "NotSeen",
    "NotTaken",
    "Outcome",
    "Pending",
    "Runtime",
    "Session",
    "SessionView",
    "Success",
    "TimedOut",
    "WouldBlock",
]
