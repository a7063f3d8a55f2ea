"""The lead: the main agent's own turn, its calls, its asks, its crons.

What must never happen: a child's event moves the lead's turn (no such input reaches
it, ``LeadInput`` has none), or a late event reopens a turn that is over. After a turn's end a
prompt, a call with an id not seen before, or an ask opens it again; after an interrupt
only a prompt does. Ends of calls open nothing.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import calls as calling
from gapless.actors.asking import ask_from
from gapless.actors.calls import NO_CALLS, Calls
from gapless.actors.owner import Owner, Wiring
from gapless.actors.step import Send, Step, ToDrain
from gapless.messages.drain import Deliver, TurnOver
from gapless.messages.inputs import (
    AskAnswered,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    CronRow,
    Inventory,
    InventoryListed,
    NotificationDelivered,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    TurnEnded,
    TurnInterrupted,
)
from gapless.messages.lead import CarriedSettled, Continue, LeadInput, LeadMessage, LeadPart
from gapless.messages.moment import LEAD_TO_DRAIN, Hop, Moment
from gapless.messages.session import Facts, LeadFact
from gapless.typings.evidence import Evidence
from gapless.typings.ids import PromptId, TaskKey
from gapless.typings.lead import LeadTurnState, NeverSeen, TurnClosed, TurnOpen
from gapless.typings.settings import Settings
from gapless.typings.states import AtBoundary, Completed, Failed, Interrupted, TurnOutcome


@final
class LeadState(Struct, frozen=True, kw_only=True):
    """The lead as it stands.

    ``hosted``: only the host vouches for the open turn (it took a continuation and
    nothing of the harness was heard since), so settling what it carries ends it.
    """

    turn: LeadTurnState = NeverSeen()
    hosted: bool = False
    calls: Calls = NO_CALLS
    crons: tuple[CronRow, ...] = ()
    crons_by: Evidence | None = None
    finished: tuple[PromptId, ...] = ()
    stopped: tuple[PromptId, ...] = ()
    begun_ms: int | None = None


def step(state: LeadState, message: LeadMessage, settings: Settings) -> Step[LeadState]:
    """Take one message."""
    match message:
        case LeadPart(moment=moment, what=what):
            before = _leave(state, settings) if moment.new_epoch else state
            after, sends = _part(before, moment, what, settings)
            whole = isinstance(what, ResyncAsked)
            return _reply(state, after, moment, message.hop, sends, whole=whole)
        case Continue(moment=moment, keys=keys):
            after = _continue(state, moment, keys)
            return _reply(state, after, moment, message.hop)
        case CarriedSettled(moment=moment, keys=keys):
            after, sends = _carried_settled(state, moment, keys, settings.remembered)
            return _reply(state, after, moment, message.hop, sends)
        case _:
            assert_never(message)


def is_repeat(fact: LeadFact, what: PromptSubmitted) -> bool:
    """Whether this prompt's turn is over, or open with it: a repeated or late event."""
    if what.prompt is None:
        return False
    if what.prompt in fact.finished:
        return True
    return isinstance(fact.turn, TurnOpen) and what.prompt in fact.turn.prompts


def is_old_stop(fact: LeadFact, what: TurnEnded) -> bool:
    """Whether this stop was heard before: a repeat, unless it ends a turn that was resumed."""
    if what.prompt is None or what.prompt not in fact.stopped:
        return False
    resumed = isinstance(fact.turn, TurnOpen) and fact.turn.resumed
    return not (resumed and what.prompt == fact.stopped[-1])


def is_of_older_prompt(fact: LeadFact, what: TurnEnded) -> bool:
    """Whether this ends an older prompt, while the turn is open for a newer one."""
    turn = fact.turn
    return isinstance(turn, TurnOpen) and what.prompt in turn.prompts[:-1]


def _part(
    state: LeadState, moment: Moment, what: LeadInput, settings: Settings
) -> tuple[LeadState, tuple[Send, ...]]:
    limit = settings.remembered
    match what:
        case PromptSubmitted():
            return _prompt(_begun(state, moment), moment, what, limit)
        case CallStarted():
            return _call(_begun(state, moment), moment, what, limit), ()
        case TurnEnded():
            return _turn_ended(_begun(state, moment), moment, what, limit)
        case AskRaised():
            return _ask(_begun(state, moment), moment, what), ()
        case ConversationStarted():
            return _boundary(_begun(state, moment), moment, what, limit), ()
        case CallEnded():
            return _with_calls(state, calling.end(state.calls, what, limit)), ()
        case AskAnswered():
            return _with_calls(state, calling.answer(state.calls, what, limit)), ()
        case TurnInterrupted():
            return _interrupted(state, moment, limit)
        case InventoryListed(inventory=inventory):
            return _list_crons(state, moment, inventory), ()
        case NotificationDelivered(tasks=tasks):
            in_turn = isinstance(state.turn, TurnOpen)
            return state, (ToDrain(Deliver(moment=moment, tasks=tasks, in_turn=in_turn)),)
        case ConversationEnded() | PaneCleared():
            return _leave(state, settings), ()
        case ResyncAsked():
            return state, ()
        case _:
            assert_never(what)


def _prompt(
    state: LeadState, moment: Moment, what: PromptSubmitted, limit: int
) -> tuple[LeadState, tuple[Send, ...]]:
    calls = calling.drop_asks(state.calls, limit) if what.typed else state.calls
    prompts = () if what.prompt is None else (what.prompt,)
    match state.turn:
        case TurnOpen() as turn:
            joined = (*turn.prompts, *prompts)
            turn = msgspec.structs.replace(turn, prompts=joined, resumed=False)
        case NeverSeen() | TurnClosed():
            turn = TurnOpen(by=moment.by, prompts=prompts)
        case _:
            assert_never(state.turn)
    sends: tuple[Send, ...] = ()
    if what.delivers:
        sends = (ToDrain(Deliver(moment=moment, tasks=what.delivers, in_turn=True)),)
    return msgspec.structs.replace(state, turn=turn, calls=calls, hosted=False), sends


def _call(state: LeadState, moment: Moment, what: CallStarted, limit: int) -> LeadState:
    if state.calls.knows(what.call):
        return state
    state = _with_calls(state, calling.start(state.calls, what, limit))
    return _reopen(state, moment)


def _ask(state: LeadState, moment: Moment, what: AskRaised) -> LeadState:
    if _interrupted_last(state.turn):
        return state
    calls = calling.ask(state.calls, ask_from(what, moment.by))
    if calls is state.calls:
        return state
    return _reopen(_with_calls(state, calls), moment)


def _reopen(state: LeadState, moment: Moment) -> LeadState:
    """Open the turn for an event that shows it open; an interrupted one stays closed."""
    match state.turn:
        case TurnOpen():
            return msgspec.structs.replace(state, hosted=False) if state.hosted else state
        case TurnClosed(outcome=Interrupted()):
            return state
        case NeverSeen() | TurnClosed():
            turn = TurnOpen(by=moment.by, resumed=isinstance(state.turn, TurnClosed))
            return msgspec.structs.replace(state, turn=turn, hosted=False)
        case _:
            assert_never(state.turn)


def _interrupted_last(turn: LeadTurnState) -> bool:
    return isinstance(turn, TurnClosed) and isinstance(turn.outcome, Interrupted)


def _turn_ended(
    state: LeadState, moment: Moment, what: TurnEnded, limit: int
) -> tuple[LeadState, tuple[Send, ...]]:
    stopped = _finish(state.stopped, (what.prompt,), limit)
    state = msgspec.structs.replace(state, stopped=stopped)
    if is_of_older_prompt(_fact(state, moment), what) and isinstance(state.turn, TurnOpen):
        prompts = tuple(it for it in state.turn.prompts if it != what.prompt)
        turn = msgspec.structs.replace(state.turn, prompts=prompts)
        finished = _finish(state.finished, (what.prompt,), limit)
        return msgspec.structs.replace(state, turn=turn, finished=finished), ()
    if what.inventory is not None:
        state = _list_crons(state, moment, what.inventory)
    return _close_turn(state, moment, what.outcome, (what.prompt,), limit)


def _interrupted(
    state: LeadState, moment: Moment, limit: int
) -> tuple[LeadState, tuple[Send, ...]]:
    if not isinstance(state.turn, TurnOpen) and not state.calls.asks:
        return state, ()
    return _close_turn(state, moment, Interrupted(), (), limit)


def _close_turn(
    state: LeadState,
    moment: Moment,
    outcome: TurnOutcome,
    prompts: tuple[PromptId | None, ...],
    limit: int,
) -> tuple[LeadState, tuple[Send, ...]]:
    turn = state.turn
    sends: tuple[Send, ...] = ()
    if isinstance(turn, TurnOpen):
        prompts = (*turn.prompts, *prompts)
        sends = (ToDrain(TurnOver(moment=moment)),)
    if not isinstance(turn, TurnClosed) or _rank(outcome) > _rank(turn.outcome):
        turn = TurnClosed(by=moment.by, outcome=outcome)
    state = msgspec.structs.replace(
        state,
        turn=turn,
        hosted=False,
        calls=calling.all_over(state.calls, limit),
        finished=_finish(state.finished, prompts, limit),
    )
    return state, sends


def _rank(outcome: TurnOutcome) -> int:
    """Order repeated ends of one turn: the same wins in whatever order they come."""
    match outcome:
        case AtBoundary():
            return 0
        case Interrupted():
            return 1
        case Completed():
            return 2
        case Failed():
            return 3
        case _:
            assert_never(outcome)


def _finish(
    finished: tuple[PromptId, ...], prompts: tuple[PromptId | None, ...], limit: int
) -> tuple[PromptId, ...]:
    new = tuple(dict.fromkeys(it for it in prompts if it is not None and it not in finished))
    return (*finished, *new)[-limit:] if new else finished


def _list_crons(state: LeadState, moment: Moment, inventory: Inventory) -> LeadState:
    if inventory.crons is None:
        return state
    crons = inventory.crons
    if not inventory.complete:
        listed = {row.cron for row in crons}
        crons = (*(row for row in state.crons if row.cron not in listed), *crons)
    if crons == state.crons:
        return state
    return msgspec.structs.replace(state, crons=crons, crons_by=moment.by)


def _boundary(state: LeadState, moment: Moment, what: ConversationStarted, limit: int) -> LeadState:
    if what.how is Boundary.COMPACT:
        return state
    finished = state.finished
    if isinstance(state.turn, TurnOpen):
        finished = _finish(finished, state.turn.prompts, limit)
    turn = TurnClosed(by=moment.by, outcome=AtBoundary()) if what.idle else NeverSeen()
    calls = calling.all_over(state.calls, limit)
    return LeadState(
        turn=turn,
        calls=calls,
        finished=finished,
        stopped=state.stopped,
        begun_ms=state.begun_ms,
    )


def _leave(state: LeadState, settings: Settings) -> LeadState:
    """Forget the conversation, but not which prompts and calls are over."""
    prompts = state.turn.prompts if isinstance(state.turn, TurnOpen) else ()
    return LeadState(
        calls=calling.all_over(state.calls, settings.remembered),
        finished=_finish(state.finished, prompts, settings.remembered),
        stopped=state.stopped,
    )


def _continue(state: LeadState, moment: Moment, keys: tuple[TaskKey, ...]) -> LeadState:
    match state.turn:
        case TurnOpen() as turn:
            turn = msgspec.structs.replace(turn, carries=(*turn.carries, *keys))
            return msgspec.structs.replace(state, turn=turn)
        case NeverSeen() | TurnClosed():
            opened = TurnOpen(by=moment.by, carries=keys)
            return msgspec.structs.replace(state, turn=opened, hosted=True)
        case _:
            assert_never(state.turn)


def _carried_settled(
    state: LeadState, moment: Moment, keys: tuple[TaskKey, ...], limit: int
) -> tuple[LeadState, tuple[Send, ...]]:
    if not isinstance(state.turn, TurnOpen):
        return state, ()
    left = tuple(key for key in state.turn.carries if key not in keys)
    if state.hosted and not left:
        return _close_turn(state, moment, Completed(), (), limit)
    turn = msgspec.structs.replace(state.turn, carries=left)
    return msgspec.structs.replace(state, turn=turn), ()


def _begun(state: LeadState, moment: Moment) -> LeadState:
    if state.begun_ms is not None:
        return state
    return msgspec.structs.replace(state, begun_ms=moment.by.at_ms)


def _with_calls(state: LeadState, calls: Calls) -> LeadState:
    return state if calls is state.calls else msgspec.structs.replace(state, calls=calls)


def _fact(state: LeadState, moment: Moment) -> LeadFact:
    return LeadFact(
        number=moment.number,
        turn=state.turn,
        asks=state.calls.asks,
        crons=state.crons,
        crons_by=state.crons_by,
        shell_open=state.calls.shell_open,
        hosted=state.hosted,
        finished=state.finished,
        stopped=state.stopped,
        begun_ms=state.begun_ms,
    )


def _reply(  # noqa: PLR0913 - one reply, its parts
    before: LeadState,
    after: LeadState,
    moment: Moment,
    answers: Hop,
    sends: tuple[Send, ...] = (),
    *,
    whole: bool = False,
) -> Step[LeadState]:
    changed = whole or after is not before
    facts = Facts(
        number=moment.number,
        answers=answers,
        facts=(_fact(after, moment),) if changed else (),
        passed=(LEAD_TO_DRAIN,) if sends else (),
        whole=whole,
    )
    return Step(after, facts, sends)


@final
class Lead(Owner[LeadState, LeadMessage]):
    """The actor behind the lead."""

    def __init__(self, wiring: Wiring, settings: Settings) -> None:
        def resync(moment: Moment) -> LeadMessage:
            return LeadPart(moment=moment, what=ResyncAsked(owner="lead"))

        super().__init__(wiring, LeadState(), partial(step, settings=settings), resync)
