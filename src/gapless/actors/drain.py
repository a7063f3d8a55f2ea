"""The notification drain: terminal notifications from their task's end to their rest.

``Queued ⊑ Active ⊑ Settled``. It confirms what it was handed only once it shows it
(``Taken``), marks a notification Active in the step that takes it off the queue, and shows it
until it is settled: by the end of the turn that carries it, by the host, or with a cause.
Each settles once. A notification settled before its task is heard to end stays settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Literal, TypeAlias, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors.owner import Owner, Wiring
from gapless.actors.step import Send, Step, ToLead, ToRegistry, ToRoster
from gapless.messages.drain import (
    Deliver,
    DrainMessage,
    DrainPart,
    Notify,
    Taken,
    TurnOver,
)
from gapless.messages.inputs import (
    Boundary,
    ContinuationTaken,
    ConversationEnded,
    ConversationStarted,
    NotificationDiscarded,
    NotificationSettled,
    PaneCleared,
    ResyncAsked,
    TimerFired,
)
from gapless.messages.lead import CarriedSettled, Continue
from gapless.messages.moment import SESSION_TO_DRAIN, Hop, Moment
from gapless.messages.session import Facts, NotificationFact
from gapless.typings.ids import InputNumber, ManagedId, ReportedId, TaskId, TaskKey
from gapless.typings.phases import Active, HowSettled, NotificationPhase, Queued, Settled
from gapless.typings.settings import Settings

Delivery: TypeAlias = Literal["turn"] | InputNumber
"""How a task is being delivered: in the open turn, or settled by the input of this number."""


@final
class DrainState(Struct, frozen=True, kw_only=True):
    """All notifications that are not forgotten; ``at_rest`` counts those that are settled.

    ``delivering``: the harness delivers these tasks' notifications, whether or not their
    ends were heard yet.
    """

    notes: Mapping[TaskKey, NotificationPhase] = {}
    at_rest: int = 0
    delivering: Mapping[TaskId, Delivery] = {}


def step(state: DrainState, message: DrainMessage, settings: Settings) -> Step[DrainState]:
    """Take one message."""
    asked = isinstance(message, DrainPart) and isinstance(message.what, ResyncAsked)
    if not asked:
        state = _forget(state, message.moment, settings)
    match message:
        case DrainPart():
            return _part(state, message, settings)
        case Notify(moment=moment, giver=giver, keys=keys):
            after = _queue(state, moment, keys)
            receipt = _receipt(Taken(moment=moment, giver=giver, keys=keys))
            return _reply(state, after, moment, message.hop, (receipt,), told=keys)
        case Deliver(moment=moment):
            after = _deliver(state, message)
            return _reply(state, after, moment, message.hop)
        case TurnOver(moment=moment):
            after = _settle(state, moment, _in(state, Active), HowSettled.DELIVERED)
            after = msgspec.structs.replace(after, delivering=_delivered_now(state, moment))
            return _reply(state, after, moment, message.hop)
        case _:
            assert_never(message)


def _part(state: DrainState, part: DrainPart, settings: Settings) -> Step[DrainState]:
    moment, what = part.moment, part.what
    hop = part.hop
    before = state
    if moment.new_epoch:
        state = _void(state, moment, _open(state), HowSettled.NEW_EPOCH)
    match what:
        case None:
            pass
        case ContinuationTaken(keys=keys):
            return _continue(before, state, moment, keys)
        case NotificationSettled(key=key) | NotificationDiscarded(key=key):
            return _by_host(before, state, part, key)
        case ConversationStarted(how=how):
            if how is not Boundary.COMPACT:
                state = _void(state, moment, _open(state), HowSettled.NEW_EPOCH)
        case ConversationEnded():
            state = _void(state, moment, _reported(state), HowSettled.SESSION_ENDED)
        case PaneCleared():
            state = _void(state, moment, _reported(state), HowSettled.PANE_CLEARED)
        case TimerFired():
            state = _expire(state, moment, settings)
        case ResyncAsked():
            return _reply(before, state, moment, hop, whole=True)
        case _:
            assert_never(what)
    return _reply(before, state, moment, hop)


def _noted(state: DrainState, notes: Mapping[TaskKey, NotificationPhase]) -> DrainState:
    """Return the state with these phases."""
    if not notes:
        return state
    rested = sum(isinstance(it, Settled) for it in notes.values())
    rested -= sum(isinstance(state.notes.get(key), Settled) for key in notes)
    return msgspec.structs.replace(
        state, notes={**state.notes, **notes}, at_rest=state.at_rest + rested
    )


def _queue(state: DrainState, moment: Moment, keys: tuple[TaskKey, ...]) -> DrainState:
    return _noted(
        state, {key: _queued(state, moment, key) for key in keys if key not in state.notes}
    )


def _queued(state: DrainState, moment: Moment, key: TaskKey) -> NotificationPhase:
    delivery = state.delivering.get(key.task) if isinstance(key, ReportedId) else None
    if moment.over and isinstance(key, ReportedId):  # nobody is left to be told
        return Settled(by=moment.by, how=HowSettled.SESSION_ENDED)
    if delivery == "turn":
        return _carried(moment)
    if delivery == moment.by.number:
        return Settled(by=moment.by, how=HowSettled.DELIVERED)
    return Queued(by=moment.by, idle_ms=moment.idle_ms)


def _carried(moment: Moment) -> Active:
    return Active(by=moment.by, idle_ms=moment.quiet_ms)


def _delivered_now(state: DrainState, moment: Moment) -> Mapping[TaskId, Delivery]:
    """Close the deliveries of the turn that ends with this input.

    Ends that this same input tells of may come after the turn's end: those are settled with it.
    """
    return {task: moment.by.number for task, how in state.delivering.items() if how == "turn"}


def _deliver(state: DrainState, message: Deliver) -> DrainState:
    moment = message.moment
    notes: dict[TaskKey, NotificationPhase] = {}
    delivering: dict[TaskId, Delivery] = {
        it: how for it, how in state.delivering.items() if how == "turn"
    }
    for task in message.tasks:
        delivering[task] = "turn" if message.in_turn else moment.by.number
    for key, phase in state.notes.items():
        if not isinstance(key, ReportedId) or key.task not in message.tasks:
            continue
        if isinstance(phase, Queued):
            notes[key] = _carried(moment)
        if not message.in_turn and not isinstance(phase, Settled):
            notes[key] = Settled(by=moment.by, how=HowSettled.DELIVERED)
    return msgspec.structs.replace(_noted(state, notes), delivering=delivering)


def _continue(
    before: DrainState, state: DrainState, moment: Moment, keys: tuple[TaskKey, ...]
) -> Step[DrainState]:
    taken = tuple(key for key in keys if isinstance(state.notes.get(key), Queued))
    after = _noted(state, dict.fromkeys(taken, _carried(moment)))
    sends: tuple[Send, ...] = (ToLead(Continue(moment=moment, keys=taken)),) if taken else ()
    return _reply(before, after, moment, SESSION_TO_DRAIN, sends)


def _by_host(
    before: DrainState, state: DrainState, part: DrainPart, key: TaskKey
) -> Step[DrainState]:
    settled = isinstance(part.what, NotificationSettled)
    how = HowSettled.BY_HOST if settled else HowSettled.DISCARDED
    was_active = isinstance(state.notes.get(key), Active)
    after = _settle(state, part.moment, [key], how)
    told: Send = ToLead(CarriedSettled(moment=part.moment, keys=(key,)))
    sends = (told,) if was_active else ()
    return _reply(before, after, part.moment, SESSION_TO_DRAIN, sends)


def _expire(state: DrainState, moment: Moment, settings: Settings) -> DrainState:
    """Look at every lease again. The clock of a lease runs while the lead is idle, only then."""
    lapsed: list[TaskKey] = []
    overdue: dict[TaskKey, NotificationPhase] = {}
    for key, phase in state.notes.items():
        match phase:
            case Settled() | Queued(overdue=True) | Active(overdue=True):
                pass
            case Queued(idle_ms=since):
                if not moment.idle:
                    continue
                if moment.idle_ms - max(moment.idle_base_ms, since) < settings.owed_lease_ms:
                    continue
                if isinstance(key, ReportedId):
                    lapsed.append(key)
                else:
                    overdue[key] = msgspec.structs.replace(phase, overdue=True)
            case Active(idle_ms=since):
                if moment.quiet and moment.quiet_ms - since >= settings.active_lease_ms:
                    overdue[key] = msgspec.structs.replace(phase, overdue=True)
            case _:
                assert_never(phase)
    return _settle(_noted(state, overdue), moment, lapsed, HowSettled.LAPSED)


def _void(state: DrainState, moment: Moment, keys: list[TaskKey], how: HowSettled) -> DrainState:
    state = _settle(state, moment, keys, how)
    return msgspec.structs.replace(state, delivering={}) if state.delivering else state


def _settle(state: DrainState, moment: Moment, keys: list[TaskKey], how: HowSettled) -> DrainState:
    rest = Settled(by=moment.by, how=how)
    return _noted(
        state, {key: rest for key in keys if not isinstance(state.notes.get(key), Settled)}
    )


def _forget(state: DrainState, moment: Moment, settings: Settings) -> DrainState:
    """Forget the oldest notifications whose rest was folded, beyond the number remembered."""
    excess = state.at_rest - settings.remembered
    if excess <= 0:
        return state
    settled = [(key, it) for key, it in state.notes.items() if isinstance(it, Settled)]
    forgotten = {key for key, it in settled[:excess] if it.by.number <= moment.folded}
    if not forgotten:
        return state
    kept = {key: phase for key, phase in state.notes.items() if key not in forgotten}
    return msgspec.structs.replace(state, notes=kept, at_rest=state.at_rest - len(forgotten))


def _in(state: DrainState, phase: type[Queued | Active]) -> list[TaskKey]:
    return [key for key, it in state.notes.items() if isinstance(it, phase)]


def _open(state: DrainState) -> list[TaskKey]:
    return [key for key, it in state.notes.items() if not isinstance(it, Settled)]


def _reported(state: DrainState) -> list[TaskKey]:
    return [key for key in _open(state) if not isinstance(key, ManagedId)]


def _receipt(taken: Taken) -> Send:
    match taken.giver:
        case "roster":
            return ToRoster(taken)
        case "registry":
            return ToRegistry(taken)
        case _:
            assert_never(taken.giver)


def _reply(  # noqa: PLR0913 - one reply, its parts
    before: DrainState,
    after: DrainState,
    moment: Moment,
    answers: Hop,
    sends: tuple[Send, ...] = (),
    *,
    told: Iterable[TaskKey] | None = None,
    whole: bool = False,
) -> Step[DrainState]:
    """Answer with what changed, or all; ``told`` are those that may have, where that is known."""
    if told is None:
        told = after.notes if whole or after.notes is not before.notes else ()
    facts = tuple(
        NotificationFact(key=key, phase=after.notes[key])
        for key in told
        if whole or before.notes.get(key) is not after.notes[key]
    )
    return Step(
        after,
        Facts(
            number=moment.number,
            answers=answers,
            facts=facts,
            passed=tuple(send.message.hop for send in sends),
            whole=whole,
        ),
        sends,
    )


@final
class NotificationDrain(Owner[DrainState, DrainMessage]):
    """The actor behind the notification drain."""

    def __init__(self, wiring: Wiring, settings: Settings) -> None:
        def resync(moment: Moment) -> DrainMessage:
            return DrainPart(moment=moment, what=ResyncAsked(owner="drain"))

        super().__init__(wiring, DrainState(), partial(step, settings=settings), resync)
