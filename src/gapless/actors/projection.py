"""The view of a session: a pure reading of what it has folded.

Order of precedence: ended; waiting beats working; working needs a reason of the agent's own
(no shell is one); without a reason any doubt makes it unknown; only then is it done.
"Closable" is what is left when nothing holds, nothing is doubted, and it is neither
working nor waiting: every reason for working has a hold of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar, assert_never

import msgspec

from gapless.actors.ledger import Ledger
from gapless.actors.state import SessionState
from gapless.messages.session import TaskFact
from gapless.typings.asks import Ask
from gapless.typings.close import Closable, CloseReading, Held, Undetermined
from gapless.typings.doubts import (
    Doubt,
    FactLost,
    InputVoid,
    OwnerGone,
    SilentSource,
    SourceSilent,
    Unconfirmed,
    UnknownTask,
)
from gapless.typings.evidence import Provenance
from gapless.typings.holds import (
    AgentHold,
    AskHold,
    CronHold,
    Hold,
    MonitorHold,
    NotificationHold,
    ShellHold,
    TurnHold,
    WorkflowHold,
    hold_key,
)
from gapless.typings.ids import ManagedId, ReportedId, TaskKey, name_of
from gapless.typings.lead import NeverSeen, TurnClosed, TurnOpen
from gapless.typings.phases import (
    REGISTRY_KINDS,
    Active,
    TaskEnded,
    TaskKind,
)
from gapless.typings.settings import Settings
from gapless.typings.states import (
    ChildrenAtWork,
    ContinuationOwed,
    CronsArmed,
    Done,
    Interrupted,
    LeadTurn,
    Lingering,
    RunningMonitors,
    RunningShells,
    Unknown,
    Waiting,
    Working,
    WorkReason,
)
from gapless.typings.states import SessionState as StateAnswer
from gapless.typings.supervision import Fine, Supervision, Suspected, Suspicion
from gapless.typings.view import SessionView

Item = TypeVar("Item")

CHILD_KINDS: Final = frozenset({TaskKind.AGENT, TaskKind.TEAMMATE, TaskKind.WORKFLOW})


class Findings(NamedTuple):
    """What speaks against calling a session done, or closing it.

    ``firm`` are the holds that are known to stand, ``shaky`` those of what fell silent:
    they stay visible, but the honest answer to them is "undetermined". ``doubts`` make a state
    unknown that has no reason to be working; ``close_doubts`` only keep it from being closed.
    """

    firm: tuple[Hold, ...]
    shaky: tuple[Hold, ...]
    doubts: tuple[Doubt, ...]
    close_doubts: tuple[Doubt, ...]


def project(
    state: SessionState, settings: Settings, before: SessionState | None = None
) -> SessionView:
    """Return the view of what was folded.

    Most inputs change nothing that a view shows. Then the view of ``before``, the state before this
    input, is given its new version and time. What decides is identity: whoever changes a
    part of a state makes a new one.
    """
    if before is not None and before.view is not None and _looks_as(state, before):
        return msgspec.structs.replace(
            before.view,
            next_wake_ms=_next_wake(state, settings),
            upto=state.upto,
            at_ms=state.clock.now_ms,
        )
    found = findings(state)
    answer = _state(state, found)
    return SessionView(
        state=answer,
        lead=state.lead.turn,
        holds=(*found.firm, *found.shaky),
        close=close_reading(state, found),
        supervision=_supervision(state),
        confirmed=_confirmed(state, answer),
        asks=_asks(state),
        children=tuple(state.ledger.standing.children.values()),
        shells=tuple(state.ledger.standing.shells.values()),
        next_wake_ms=_next_wake(state, settings),
        hooks_live=state.hooks_live,
        next_cron_ms=min(_cron_times(state), default=None),
        upto=state.upto,
        at_ms=state.clock.now_ms,
    )


def _cron_times(state: SessionState) -> list[int]:
    times = (row.next_wake_ms for row in state.lead.crons)
    return [it for it in times if it is not None]


def _looks_as(state: SessionState, before: SessionState) -> bool:
    return (
        state.lead.turn is before.lead.turn
        and state.lead.asks is before.lead.asks
        and state.lead.crons is before.lead.crons
        and state.child_asks is before.child_asks
        and state.ledger is before.ledger
        and state.lost is before.lost
        and state.voided_by is before.voided_by
        and state.ended is before.ended
        and state.cleared_by is before.cleared_by
        and state.hooks_live is before.hooks_live
    )


def findings(state: SessionState) -> Findings:
    """Collect holds and doubts."""
    firm: list[Hold] = []
    if isinstance(state.lead.turn, TurnOpen) and state.ended is None:
        firm.append(TurnHold())
    firm.extend(AskHold(ask=ask) for ask in _asks(state))
    standing = state.ledger.standing
    running = list(standing.notable.values())
    firm.extend(hold for it in running if not it.silent for hold in _task_hold(it))
    firm.extend(NotificationHold(key=key) for key in standing.owed)
    unseen = list(_unseen(state.ledger))
    firm.extend(NotificationHold(key=it.key) for it in unseen if it.kind is not TaskKind.SHELL)
    if (
        standing.plain
        or standing.shells_owed
        or any(it.kind is TaskKind.SHELL for it in (*running, *unseen))
    ):
        firm.append(ShellHold())
    firm.extend(CronHold(cron=row.cron) for row in state.lead.crons)
    return Findings(
        firm=tuple(firm),
        shaky=tuple(hold for it in running if it.silent for hold in _task_hold(it)),
        doubts=tuple(_doubts(state, running)),
        close_doubts=tuple(_close_doubts(state, running)),
    )


def _unseen(ledger: Ledger) -> Iterable[TaskFact]:
    """Return the ended tasks whose notification is owed, and was not seen."""
    if not ledger.standing.unseen:
        return
    for key, fact in ledger.tasks.items():
        if isinstance(fact.phase, TaskEnded) and fact.phase.owes and key not in ledger.notes:
            yield fact


def close_reading(
    state: SessionState,
    found: Findings,
    ignoring: frozenset[tuple[str, str]] = frozenset(),
    *,
    but_turn: bool = False,
) -> CloseReading:
    """Return the reading, leaving out holds the asker can lose, or the open turn it waits for."""
    left = [hold for hold in found.firm if not _is_left_out(hold, ignoring, but_turn=but_turn)]
    doubts = [*found.doubts, *found.close_doubts]
    if state.ended is not None and doubts:
        return Undetermined(first=doubts[0], more=tuple(doubts[1:]))
    overdue = [it for it in doubts if isinstance(it, SourceSilent) and it.source is _CONTINUATION]
    if overdue:
        return Undetermined(first=overdue[0], more=tuple(overdue[1:]))
    if left:
        return Held(first=left[0], more=tuple(left[1:]))
    if doubts:
        return Undetermined(first=doubts[0], more=tuple(doubts[1:]))
    return Closable()


def _is_left_out(hold: Hold, ignoring: frozenset[tuple[str, str]], *, but_turn: bool) -> bool:
    match hold:
        case TurnHold():
            return but_turn
        case AskHold():
            return False
        case _:
            return hold_key(hold) in ignoring


_CONTINUATION: Final = SilentSource.CONTINUATION


def _asks(state: SessionState) -> tuple[Ask, ...]:
    return () if state.ended is not None else (*state.lead.asks, *state.child_asks.asks)


def _task_hold(fact: TaskFact) -> tuple[Hold, ...]:
    match fact.kind:
        case TaskKind.AGENT | TaskKind.TEAMMATE:
            return (AgentHold(key=fact.key),)
        case TaskKind.WORKFLOW:
            return (WorkflowHold(key=fact.key),)
        case TaskKind.MONITOR:
            return (MonitorHold(key=fact.key),)
        case TaskKind.SHELL | TaskKind.UNKNOWN:
            return ()
        case _:
            assert_never(fact.kind)


def _doubts(state: SessionState, running: list[TaskFact]) -> Iterable[Doubt]:
    yield from (FactLost(owner=owner) for owner in state.lost)
    if state.voided_by is not None:
        yield InputVoid()
    if state.ended is not None:
        for it in state.ledger.standing.shells.values():
            if isinstance(it.key, ReportedId) and not isinstance(it.phase, TaskEnded):
                yield OwnerGone(subject=name_of(it.key))
        return
    if state.cleared_by is not None:
        yield OwnerGone()
    if isinstance(state.lead.turn, NeverSeen):
        yield SourceSilent(source=SilentSource.LEAD)
    for fact in running:
        if fact.silent:
            yield SourceSilent(source=SilentSource.CHILD, subject=name_of(fact.key))
        if fact.kind is TaskKind.UNKNOWN and not isinstance(fact.key, ManagedId):
            yield UnknownTask(task=fact.key.task, word=fact.word)


def _close_doubts(state: SessionState, running: list[TaskFact]) -> Iterable[Doubt]:
    if state.ended is not None:
        return
    if any(not it.confirmed for it in running) or _is_restored(state):
        yield Unconfirmed()
    if isinstance(state.lead.turn, TurnClosed) and state.lead.turn.unheard:
        yield SourceSilent(source=SilentSource.LEAD)
    for key, _ in _lost_continuations(state.ledger):
        yield SourceSilent(source=_CONTINUATION, subject=name_of(key))


def _lost_continuations(ledger: Ledger) -> list[tuple[TaskKey, Active]]:
    """Return what turns carry that are long over, in the order of the ledger."""
    carried = ledger.standing.carried
    lost = {key: phase for key, phase in carried.items() if phase.overdue}
    if len(lost) > 1:
        return [(key, lost[key]) for key in ledger.notes if key in lost]
    return list(lost.items())


def _state(state: SessionState, found: Findings) -> StateAnswer:
    if state.ended is not None:
        return state.ended
    asks = _asks(state)
    if asks:
        return Waiting(first=asks[0], more=asks[1:])
    reasons = tuple(_reasons(state))
    if reasons:
        return Working(first=reasons[0], more=reasons[1:])
    if found.doubts:
        return Unknown(first=found.doubts[0], more=found.doubts[1:])
    match state.lead.turn:
        case TurnClosed(outcome=outcome):
            return Done(outcome=outcome, lingering=tuple(_lingering(state)))
        case TurnOpen() | NeverSeen():
            return Unknown(first=SourceSilent(source=SilentSource.LEAD))
        case _:
            assert_never(state.lead.turn)


def _reasons(state: SessionState) -> Iterable[WorkReason]:
    turn = state.lead.turn
    if isinstance(turn, TurnOpen):
        yield LeadTurn()
    if children_work(state):
        yield ChildrenAtWork()
    if not isinstance(turn, TurnClosed):
        return
    if state.lead.crons and not isinstance(turn.outcome, Interrupted):
        yield CronsArmed()
    standing = state.ledger.standing
    if standing.queued_ms is not None or any(not it.overdue for it in standing.carried.values()):
        yield ContinuationOwed()


def children_work(state: SessionState) -> bool:
    """Whether children or workflows run, for all that is known."""
    return any(_at_work(fact) for fact in state.ledger.standing.notable.values())


def _at_work(fact: TaskFact) -> bool:
    return fact.kind in CHILD_KINDS and not fact.silent


def _lingering(state: SessionState) -> Iterable[Lingering]:
    kinds = {fact.kind for fact in state.ledger.standing.notable.values()}
    if state.ledger.standing.plain or TaskKind.SHELL in kinds:
        yield RunningShells()
    if TaskKind.MONITOR in kinds:
        yield RunningMonitors()


def _confirmed(state: SessionState, answer: StateAnswer) -> bool:
    """Whether anything live vouches for the state."""
    if _is_restored(state):
        return False
    if not isinstance(answer, Working) or answer.reasons != (ChildrenAtWork(),):
        return True
    return any(_at_work(fact) and fact.confirmed for fact in state.ledger.standing.notable.values())


def _is_restored(state: SessionState) -> bool:
    """Whether what is known of the lead is from before a restart."""
    turn = state.lead.turn
    restored = Provenance.RESTORED
    return not isinstance(turn, NeverSeen) and turn.by.provenance is restored


def _supervision(state: SessionState) -> Supervision:
    overdue = tuple(phase.by for _, phase in _lost_continuations(state.ledger))
    if overdue:
        return Suspected(suspicion=Suspicion.LOST_CONTINUATION, evidence=overdue)
    return Fine()


def _next_wake(state: SessionState, settings: Settings) -> int | None:
    """Return the earliest time at which a lease or a budget runs out."""
    if state.closed:
        return None
    clock, standing = state.clock, state.ledger.standing
    due = [
        fact.seen_ms + settings.child_lease_ms
        for fact in standing.notable.values()
        if fact.kind not in REGISTRY_KINDS and not fact.silent
    ]
    if standing.queued_ms is not None and state.idle:
        idled = clock.idle_ms - max(clock.idle_base_ms, standing.queued_ms)
        due.append(clock.now_ms + settings.owed_lease_ms - idled)
    if state.quiet:
        lease_ms = settings.active_lease_ms - clock.quiet_ms
        due.extend(
            clock.now_ms + lease_ms + phase.idle_ms
            for phase in standing.carried.values()
            if not phase.overdue
        )
    if state.lead.due_ms is not None:
        due.append(state.lead.due_ms)
    if state.desk.gate is not None:
        due.append(state.desk.gate.until_ms)
    return min(due, default=None)
