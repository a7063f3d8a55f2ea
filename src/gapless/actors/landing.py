"""What the end of an input leads to: its view, its effects, its answers, what is waited for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, assert_never

from gapless.actors.edges import begins_to_wait, edges
from gapless.actors.flight import At, EffectKey, Turned, Turnstile
from gapless.actors.outs import (
    Announce,
    CancelTimer,
    Out,
    Proceed,
    Publish,
    Release,
    Reply,
    StartTimer,
)
from gapless.actors.session import Concluded
from gapless.messages.answers import Called, CallOutcome, Fault, Ignored, QuestionAnswered
from gapless.messages.effects import Effect, SpawnShell, StopShell
from gapless.messages.inputs import (
    CloseAsked,
    EffectDone,
    Input,
    ResyncAsked,
    SignalFailed,
    Signalled,
    Spawned,
    SpawnFailed,
)
from gapless.messages.recorded import Recorded
from gapless.messages.session import (
    AlarmRang,
    AskStands,
    Caller,
    EffectsOverdue,
    Take,
)
from gapless.typings.evidence import Source
from gapless.typings.ids import QuestionId
from gapless.typings.outcome import Failure, Success
from gapless.typings.view import SessionView

_AGAIN_MS: Final = 60_000
"""When the alarm rings again, if what it rang for was lost: in doubt nothing falls, so it would be
due at once, for ever. What is resent meanwhile sets it anew."""


def land(
    state: Turnstile, row: Recorded, caller: Caller | None, concluded: Concluded, at: At
) -> Turned:
    """Publish, release, answer, set the alarm, tell, and let what waits go on: in this order."""
    wants = tuple(Take(what=it, source=Source.SESSION) for it in concluded.wants)
    released = _released(state.released, row.what, concluded.effects)
    replies, torn, asking = _answer(state, row, caller, concluded)
    ring_ms, ring = _alarm(state, row, concluded.view, at)
    after = Turnstile(
        session=concluded.state,
        view=concluded.view,
        line=state.line.put_first(wants),
        torn=torn,
        asking=asking,
        released=released,
        ring_ms=ring_ms,
    )
    outs: list[Out] = [Publish(row, concluded.view)]
    outs.extend(Release(effect) for effect in concluded.effects)
    outs.extend((*replies, *ring, *_watches(state, after, at)))
    turn_over = at.settings.tells_turn_over
    told = edges(state.view, after.view, turn_over=turn_over)
    outs.extend(Announce(edge) for edge in told)
    if after.line:
        outs.append(Proceed())
    return Turned(after, tuple(outs))


def _watches(before: Turnstile, after: Turnstile, at: At) -> Iterable[Out]:
    """Return the timers of what is to be looked at again, if nothing happens until then."""
    if bool(after.released) is not bool(before.released):
        yield from watch_effects(after, at)
    if begins_to_wait(before.view, after.view):
        stands = AskStands(upto=after.view.upto)
        yield StartTimer("ask", at.settings.ask_edge_ms, stands)
    elif begins_to_wait(after.view, before.view):  # and so nobody is asked any more
        yield CancelTimer("ask")


def watch_effects(state: Turnstile, at: At) -> tuple[Out, ...]:
    """Look again at the effects that are released, as long as there are any."""
    if not state.released:
        return (CancelTimer("effects"),)
    return (StartTimer("effects", at.settings.effect_retry_ms, EffectsOverdue()),)


def _released(
    released: Mapping[EffectKey, Effect], what: Input, effects: tuple[Effect, ...]
) -> Mapping[EffectKey, Effect]:
    """Note what was released, and what came of it."""
    done: EffectKey | None = None
    if isinstance(what, EffectDone):
        match what.outcome:
            case Spawned() | SpawnFailed():
                done = (SpawnShell.__name__, what.shell)
            case Signalled() | SignalFailed():
                done = (StopShell.__name__, what.shell)
            case _:
                assert_never(what.outcome)
    if done not in released and not effects:
        return released
    left = {key: effect for key, effect in released.items() if key != done}
    return left | {(type(it).__name__, it.shell): it for it in effects}


class _Answered(NamedTuple):
    replies: tuple[Out, ...]
    torn: tuple[Caller, ...]
    asking: Mapping[QuestionId, Caller]


def _answer(
    state: Turnstile, row: Recorded, caller: Caller | None, concluded: Concluded
) -> _Answered:
    called = Called(number=row.number, answers=concluded.answers)
    replies: list[Out] = []
    torn, asking = state.torn, dict(state.asking)
    question = _left_open(row, concluded)
    if caller is not None and question is not None:
        asking[question] = caller
    elif row.lost and caller is not None:
        torn = (*torn, caller)
    else:
        replies.extend(replies_to(caller, Success(called)))
    for answer in concluded.answers:
        if isinstance(answer, QuestionAnswered) and not isinstance(row.what, CloseAsked):
            asked = asking.pop(answer.question, None)
            replies.extend(replies_to(asked, Success(called)))
    if isinstance(row.what, ResyncAsked) and not row.lost:
        replies.extend(Reply(it, Success(called)) for it in torn)
        torn = ()
    elif torn and not concluded.state.resync_due:
        gave_up = Failure(Fault(reason="what came of it was lost, again and again"))
        replies.extend(Reply(it, gave_up) for it in torn)
        torn = ()
    return _Answered(tuple(replies), torn, asking)


def _left_open(row: Recorded, concluded: Concluded) -> QuestionId | None:
    """Return the close question that this input asks, if it is not answered with it."""
    if not isinstance(row.what, CloseAsked):
        return None
    answered = any(isinstance(it, QuestionAnswered | Ignored) for it in concluded.answers)
    return None if answered else row.what.question


def _alarm(
    state: Turnstile, row: Recorded, view: SessionView, at: At
) -> tuple[int | None, tuple[Out, ...]]:
    """Return when the alarm is to ring, on the host's clock, and what is to be done for that."""
    due = view.next_wake_ms
    ring_ms = None if due is None else row.at_ms + due - view.at_ms
    if ring_ms is not None and row.lost:
        ring_ms = max(ring_ms, row.at_ms + _AGAIN_MS)
    if ring_ms == state.ring_ms:
        return ring_ms, ()
    if due is None or ring_ms is None:
        return None, (CancelTimer("alarm"),)
    rang = AlarmRang(due_ms=due)
    return ring_ms, (StartTimer("alarm", max(0, ring_ms - at.now_ms), rang),)


def replies_to(caller: Caller | None, outcome: CallOutcome) -> tuple[Out, ...]:
    """Answer a caller, if there is one."""
    return () if caller is None else (Reply(caller, outcome),)
