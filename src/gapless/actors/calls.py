"""The tool calls and the asks of one agent, the lead or a child.

The difficulty is pairing. Claude Code's permission request names no call, its
call's start may arrive after it, and the same command may run twice in a turn.
So an ask adopts a call's id as soon as exactly one call can be meant, is released by
that call's end alone, and a request for a call that was asked about and is over is a repeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, final

import msgspec
from msgspec import Struct

from gapless.actors.recent import remember, without
from gapless.messages.inputs.asks import AskAnswered
from gapless.messages.inputs.turn import CallEnded, CallStarted
from gapless.typings.asks import Ask, Question
from gapless.typings.ids import AskId, CallDigest, CallId


@final
class OpenCall(Struct, frozen=True, kw_only=True, gc=False):
    """A call that runs."""

    digest: CallDigest | None = None
    shell: bool = False
    asked: bool = False


@final
class Calls(Struct, frozen=True, kw_only=True):
    """What one agent calls and asks.

    ``over`` remembers calls that ended, with the digest of those that were asked
    about in this turn, or ran when it ended; ``answered`` the ask ids that are no longer open.
    """

    open: Mapping[CallId, OpenCall] = {}
    over: Mapping[CallId, CallDigest | None] = {}
    answered: Mapping[AskId, None] = {}
    asks: tuple[Ask, ...] = ()

    @property
    def shell_open(self) -> bool:
        """Whether a call runs a command."""
        return any(call.shell for call in self.open.values())

    def knows(self, call: CallId) -> bool:
        """Whether this call was heard of."""
        return call in self.open or call in self.over


NO_CALLS: Final = Calls()


def start(calls: Calls, what: CallStarted, limit: int) -> Calls:
    """Open a new call. It shows that the agent's questions were answered."""
    if calls.knows(what.call):
        return calls
    questions = [ask for ask in calls.asks if isinstance(ask, Question)]
    calls = _release(calls, questions, limit)
    adopted = next((ask for ask in calls.asks if _waits_for(ask, what)), None)
    asks = calls.asks
    if adopted is not None:
        asks = tuple(
            msgspec.structs.replace(ask, call=what.call) if ask is adopted else ask for ask in asks
        )
    opened = OpenCall(digest=what.digest, shell=what.shell, asked=adopted is not None)
    return msgspec.structs.replace(calls, open={**calls.open, what.call: opened}, asks=asks)


def _waits_for(ask: Ask, what: CallStarted) -> bool:
    return ask.call is None and ask.digest is not None and ask.digest == what.digest


def end(calls: Calls, what: CallEnded, limit: int) -> Calls:
    """Close a call and release the one ask that waited for it."""
    call = what.call
    if call is not None and call in calls.over:
        return calls
    if call is None:
        call = next((it for it, one in calls.open.items() if _same(one, what)), None)
    if call is not None:
        was = calls.open.get(call)
        digest = was.digest if was is not None and was.asked else None
        calls = msgspec.structs.replace(
            calls,
            open=without(calls.open, call) if was is not None else calls.open,
            over=remember(calls.over, call, digest, limit),
        )
    released = next((ask for ask in calls.asks if call is not None and ask.call == call), None)
    if released is None:
        released = next((ask for ask in calls.asks if _answers(ask, what)), None)
        if released is not None and call is not None:
            calls = msgspec.structs.replace(
                calls, over=remember(calls.over, call, released.digest, limit)
            )
    return calls if released is None else _release(calls, [released], limit)


def _same(call: OpenCall, what: CallEnded) -> bool:
    return call.digest is not None and call.digest == what.digest


def _answers(ask: Ask, what: CallEnded) -> bool:
    if ask.call is not None:
        return False
    if ask.digest is not None and what.digest is not None:
        return ask.digest == what.digest
    return ask.tool != "" and ask.tool == what.tool


def ask(calls: Calls, raised: Ask) -> Calls:
    """Raise an ask, unless it is a repeat of one that is open or over."""
    if raised.call is None and raised.digest is not None:
        candidates = [it for it, call in calls.open.items() if call.digest == raised.digest]
        if len(candidates) == 1:
            raised = msgspec.structs.replace(raised, call=candidates[0])
        elif not candidates and raised.digest in calls.over.values():
            return calls
    if _is_repeat(calls, raised):
        return calls
    opened = calls.open
    if raised.call is not None and raised.call in opened:
        asked = msgspec.structs.replace(opened[raised.call], asked=True)
        opened = {**opened, raised.call: asked}
    return msgspec.structs.replace(calls, asks=(*calls.asks, raised), open=opened)


def _is_repeat(calls: Calls, raised: Ask) -> bool:
    if raised.ask is not None and (
        raised.ask in calls.answered or any(it.ask == raised.ask for it in calls.asks)
    ):
        return True
    if raised.call is not None:
        return raised.call in calls.over or any(it.call == raised.call for it in calls.asks)
    return any(
        it.call is None
        and type(it) is type(raised)
        and it.digest == raised.digest
        and (it.digest is not None or it.ask is raised.ask is None)
        for it in calls.asks
    )


def answer(calls: Calls, what: AskAnswered, limit: int) -> Calls:
    """Release what the harness says is answered: by ask, else by call, else by digest."""
    answered = (
        [it for it in calls.asks if what.ask is not None and it.ask == what.ask]
        or [it for it in calls.asks if what.call is not None and it.call == what.call]
        or [it for it in calls.asks if what.digest is not None and it.digest == what.digest]
    )
    return _release(calls, answered, limit)


def answer_only(calls: Calls, by_ms: int, limit: int) -> Calls:
    """Release the only ask there is, if it was raised by then; of several no one can say which."""
    if len(calls.asks) != 1 or calls.asks[0].by.at_ms > by_ms:
        return calls
    return drop_asks(calls, limit)


def drop_asks(calls: Calls, limit: int) -> Calls:
    """Release every ask."""
    return _release(calls, calls.asks, limit)


def all_over(calls: Calls, limit: int) -> Calls:
    """End every call and ask for good: the child, or the conversation, is over."""
    return forget_digests(turn_over(calls, limit))


def turn_over(calls: Calls, limit: int) -> Calls:
    """End every call and ask; what they asked about is known, for it may be asked late."""
    calls = drop_asks(calls, limit)
    if not calls.open:
        return calls
    over = calls.over
    for call, was in calls.open.items():
        over = remember(over, call, was.digest, limit)
    return msgspec.structs.replace(calls, open={}, over=over)


def forget_digests(calls: Calls) -> Calls:
    """Take what is asked about from now on for another call, even if it is the same."""
    if not any(calls.over.values()):
        return calls
    return msgspec.structs.replace(calls, over=dict.fromkeys(calls.over))


def over_at_once(calls: Calls, what: CallStarted, limit: int) -> Calls:
    """Hear of a call of a turn that is over: it is over as well."""
    if calls.knows(what.call):
        return calls
    return msgspec.structs.replace(calls, over=remember(calls.over, what.call, None, limit))


def _release(calls: Calls, released: Sequence[Ask], limit: int) -> Calls:
    if not released:
        return calls
    answered = calls.answered
    for it in released:
        if it.ask is not None:
            answered = remember(answered, it.ask, None, limit)
    kept = tuple(it for it in calls.asks if not any(it is gone for gone in released))
    return msgspec.structs.replace(calls, asks=kept, answered=answered)
