"""The lead: the main agent's own turn, its calls, its asks, its crons.

What must never happen: a child's event moves the lead's turn (no such input reaches
it, ``LeadInput`` has none), or a late event reopens a turn that is over (``turn``). Ends of calls
open nothing. What sends no hook is told by the log and the status file (``told``).
"""

from __future__ import annotations

from functools import partial
from typing import assert_never, final

import msgspec

from gapless.actors import calls as calling
from gapless.actors import told as telling
from gapless.actors import turn as turning
from gapless.actors.asking import ask_from
from gapless.actors.calls import Calls
from gapless.actors.owner import Owner, Wiring
from gapless.actors.step import Send, Step, ToDrain
from gapless.actors.turn import LeadState, Turned
from gapless.messages.drain import Deliver
from gapless.messages.inputs import (
    AskAnswered,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    Inventory,
    InventoryListed,
    NotificationDelivered,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    StatusRead,
    TimerFired,
    TurnEnded,
    TurnEndLogged,
    TurnInterrupted,
)
from gapless.messages.lead import CarriedSettled, Continue, LeadInput, LeadMessage, LeadPart
from gapless.messages.moment import LEAD_TO_DRAIN, Hop, Moment
from gapless.messages.session import Facts, LeadFact
from gapless.typings.ids import CallDigest, TaskKey
from gapless.typings.lead import NeverSeen, TurnClosed, TurnOpen
from gapless.typings.settings import Settings
from gapless.typings.states import AtBoundary, Completed, Interrupted


def step(state: LeadState, message: LeadMessage, settings: Settings) -> Step[LeadState]:
    """Take one message."""
    match message:
        case LeadPart(moment=moment, what=what):
            before = _leave(state, settings) if moment.new_epoch else state
            after, sends = _part(before, moment, what, settings)
            whole = isinstance(what, ResyncAsked)
            return _reply(state, after, moment, message.hop, sends, settings=settings, whole=whole)
        case Continue(moment=moment, keys=keys):
            after = _continue(state, moment, keys)
            return _reply(state, after, moment, message.hop, settings=settings)
        case CarriedSettled(moment=moment, keys=keys):
            after, sends = _carried_settled(state, moment, keys, settings.remembered)
            return _reply(state, after, moment, message.hop, sends, settings=settings)
        case _:
            assert_never(message)


def is_repeat(fact: LeadFact, what: PromptSubmitted) -> bool:
    """Whether this prompt's turn is over, or open with it: a repeated or late event."""
    if what.prompt is None:
        return False
    if what.prompt in fact.finished:
        return True
    return isinstance(fact.turn, TurnOpen) and what.prompt in fact.turn.prompts


def is_said_again(fact: LeadFact, what: PromptSubmitted, now_ms: int, settings: Settings) -> bool:
    """Whether the very same prompt came sooner before than an event may be late: it came twice."""
    if what.body is None or what.body not in fact.bodies:
        return False
    return now_ms - fact.bodies[what.body] < settings.early_end_ms


def is_old_stop(fact: LeadFact, what: TurnEnded) -> bool:
    """Whether this stop was heard before: a repeat, unless it ends a turn that was resumed."""
    if what.prompt is None or what.prompt not in fact.stopped:
        return False
    resumed = isinstance(fact.turn, TurnOpen) and fact.turn.resumed
    return not (resumed and what.prompt == fact.stopped[-1])


def is_of_older_prompt(lead: LeadFact | LeadState, what: TurnEnded) -> bool:
    """Whether this ends an older prompt, while the turn is open for a newer one."""
    turn = lead.turn
    if not isinstance(turn, TurnOpen) or not turn.prompts or what.prompt == turn.prompts[-1]:
        return False
    return what.prompt in turn.prompts or what.prompt in lead.finished


def _part(state: LeadState, moment: Moment, what: LeadInput, settings: Settings) -> Turned:
    limit = settings.remembered
    match what:
        case PromptSubmitted():
            state = _said(_begun(state, moment), moment, what.body, settings)
            return _prompt(state, moment, what, settings)
        case CallStarted():
            return Turned(_call(_begun(state, moment), moment, what, settings))
        case TurnEnded():
            return _turn_ended(_begun(state, moment), moment, what, limit)
        case AskRaised():
            return Turned(_ask(_begun(state, moment), moment, what, settings))
        case TurnEndLogged():
            return telling.log_tells_end(state, moment, what, settings)
        case StatusRead():
            return telling.status_tells(state, moment, what, settings)
        case ConversationStarted():
            return Turned(_boundary(_begun(state, moment), moment, what, limit))
        case CallEnded():
            return Turned(_with_calls(state, calling.end(state.calls, what, limit)))
        case AskAnswered():
            return Turned(_with_calls(state, calling.answer(state.calls, what, limit)))
        case TurnInterrupted():
            return _interrupted(state, moment, limit)
        case InventoryListed(inventory=inventory):
            return Turned(_list_crons(state, moment, inventory))
        case NotificationDelivered(tasks=tasks):
            in_turn = isinstance(state.turn, TurnOpen)
            return Turned(state, (ToDrain(Deliver(moment=moment, tasks=tasks, in_turn=in_turn)),))
        case ConversationEnded() | PaneCleared():
            return Turned(_leave(state, settings))
        case TimerFired():
            return telling.time_passed(state, moment, settings)
        case ResyncAsked():
            return Turned(state)
        case _:
            assert_never(what)


def _prompt(before: LeadState, moment: Moment, what: PromptSubmitted, settings: Settings) -> Turned:
    calls = before.calls
    if what.typed:
        calls = calling.drop_asks(calls, settings.remembered)
    prompts = () if what.prompt is None else (what.prompt,)
    match before.turn:
        case TurnOpen() as turn:
            joined = (*turn.prompts, *prompts)
            turn = msgspec.structs.replace(turn, prompts=joined, resumed=False, was=None)
        case NeverSeen() | TurnClosed():
            turn = TurnOpen(by=moment.by, prompts=prompts)
            calls = calling.forget_digests(calls)
        case _:
            assert_never(before.turn)
    state = msgspec.structs.replace(before, turn=turn, calls=calls, hosted=False)
    if what.delivers:
        deliver = Deliver(moment=moment, tasks=what.delivers, in_turn=True)
        return Turned(telling.prompt_joined(state, moment, before, settings), (ToDrain(deliver),))
    return telling.prompt_came(state, moment, before, settings)


def _call(state: LeadState, moment: Moment, what: CallStarted, settings: Settings) -> LeadState:
    limit = settings.remembered
    if state.calls.knows(what.call):
        return state
    if turning.is_deaf(state.turn, moment, settings):
        return _with_calls(state, calling.over_at_once(state.calls, what, limit))
    state = _listening(state, moment, settings)
    called = _with_calls(state, calling.start(state.calls, what, limit))
    opened = turning.reopen(called, moment, what.prompt, settings)
    return telling.resumed(opened, state, moment, settings)


def _ask(state: LeadState, moment: Moment, what: AskRaised, settings: Settings) -> LeadState:
    turn = state.turn
    if turning.is_deaf(turn, moment, settings):
        return state
    if isinstance(turn, TurnOpen) and not turn.resumed and what.prompt in state.finished:
        return state  # of a turn that is over: it was not asked in this one
    state = _listening(state, moment, settings)
    calls = calling.ask(state.calls, ask_from(what, moment.by))
    if calls is state.calls:
        return state
    opened = turning.reopen(_with_calls(state, calls), moment, what.prompt, settings)
    return telling.resumed(opened, state, moment, settings)


def _listening(state: LeadState, moment: Moment, settings: Settings) -> LeadState:
    """Forget what the last turn asked about once it can no longer be asked late."""
    if not isinstance(state.turn, TurnClosed) or turning.is_late(state.turn, moment, settings):
        return state
    return _with_calls(state, calling.forget_digests(state.calls))


def _turn_ended(state: LeadState, moment: Moment, what: TurnEnded, limit: int) -> Turned:
    stopped = turning.finish(state.stopped, (what.prompt,), limit)
    state = msgspec.structs.replace(state, stopped=stopped)
    if isinstance(state.turn, TurnOpen) and is_of_older_prompt(state, what):
        prompts = tuple(it for it in state.turn.prompts if it != what.prompt)
        turn = msgspec.structs.replace(state.turn, prompts=prompts)
        finished = turning.finish(state.finished, (what.prompt,), limit)
        return Turned(msgspec.structs.replace(state, turn=turn, finished=finished))
    if what.inventory is not None:
        state = _list_crons(state, moment, what.inventory)
    end = TurnClosed(by=moment.by, outcome=what.outcome)
    if _ends_unseen_turn(state, what):
        state = msgspec.structs.replace(state, turn=end)
    return turning.close(state, moment, end, limit, what.prompt)


def _ends_unseen_turn(state: LeadState, what: TurnEnded) -> bool:
    """Whether this is the end of another turn than the last, whose beginning was not heard."""
    if what.prompt is None or what.prompt in state.finished:
        return False
    return isinstance(state.turn, TurnClosed)


def _interrupted(state: LeadState, moment: Moment, limit: int) -> Turned:
    turn = state.turn
    presumed = isinstance(turn, TurnClosed) and turn.presumed
    if not isinstance(turn, TurnOpen) and not state.calls.asks and not presumed:
        return Turned(state)
    end = TurnClosed(by=moment.by, outcome=Interrupted())
    return turning.close(state, moment, end, limit)


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
        finished = turning.finish(finished, state.turn.prompts, limit)
    turn = TurnClosed(by=moment.by, outcome=AtBoundary()) if what.idle else NeverSeen()
    calls = calling.all_over(state.calls, limit)
    return LeadState(
        turn=turn,
        calls=calls,
        finished=finished,
        stopped=state.stopped,
        begun_ms=state.begun_ms,
        told=state.told.of_file(),
        bodies=state.bodies,
    )


def _leave(state: LeadState, settings: Settings) -> LeadState:
    """Forget the conversation, but not which prompts and calls are over."""
    prompts = state.turn.prompts if isinstance(state.turn, TurnOpen) else ()
    return LeadState(
        calls=calling.all_over(state.calls, settings.remembered),
        finished=turning.finish(state.finished, prompts, settings.remembered),
        stopped=state.stopped,
        told=state.told.of_file(),
        bodies=state.bodies,
    )


def _continue(state: LeadState, moment: Moment, keys: tuple[TaskKey, ...]) -> LeadState:
    match state.turn:
        case TurnOpen() as turn:
            turn = msgspec.structs.replace(turn, carries=(*turn.carries, *keys))
            return msgspec.structs.replace(state, turn=turn)
        case NeverSeen() | TurnClosed():
            opened = TurnOpen(by=moment.by, carries=keys)
            told = msgspec.structs.replace(state.told, vouches=False, opens_ms=None)
            return msgspec.structs.replace(state, turn=opened, hosted=True, told=told)
        case _:
            assert_never(state.turn)


def _carried_settled(
    state: LeadState, moment: Moment, keys: tuple[TaskKey, ...], limit: int
) -> Turned:
    if not isinstance(state.turn, TurnOpen):
        return Turned(state)
    left = tuple(key for key in state.turn.carries if key not in keys)
    if state.hosted and not left:
        end = TurnClosed(by=moment.by, outcome=Completed())
        return turning.close(state, moment, end, limit)
    turn = msgspec.structs.replace(state.turn, carries=left)
    return Turned(msgspec.structs.replace(state, turn=turn))


def _begun(state: LeadState, moment: Moment) -> LeadState:
    if state.begun_ms is not None:
        return state
    return msgspec.structs.replace(state, begun_ms=moment.by.at_ms)


def _said(
    state: LeadState, moment: Moment, body: CallDigest | None, settings: Settings
) -> LeadState:
    """Remember a prompt without an id, for as long as it may come again."""
    now_ms = moment.by.at_ms
    if body is None:
        return state
    fresh = {it: at for it, at in state.bodies.items() if now_ms - at < settings.early_end_ms}
    return msgspec.structs.replace(state, bodies={**fresh, body: now_ms})


def _with_calls(state: LeadState, calls: Calls) -> LeadState:
    return state if calls is state.calls else msgspec.structs.replace(state, calls=calls)


def _fact(state: LeadState, moment: Moment, settings: Settings) -> LeadFact:
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
        due_ms=telling.due_ms(state, settings),
        bodies=state.bodies,
    )


def _reply(  # noqa: PLR0913 - one reply, its parts
    before: LeadState,
    after: LeadState,
    moment: Moment,
    answers: Hop,
    sends: tuple[Send, ...] = (),
    *,
    settings: Settings,
    whole: bool = False,
) -> Step[LeadState]:
    changed = whole or after is not before
    facts = Facts(
        number=moment.number,
        answers=answers,
        facts=(_fact(after, moment, settings),) if changed else (),
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
