"""The session's own logic: which parts an input has, and what comes of the facts.

One input at a time. ``begin`` moves the clock, decides whether an input is looked at,
and says who gets a part of it; ``conclude`` folds what they answered and makes the view.
Between the two nothing is published, so every view is the fold of a prefix of the list.
A view rests on nothing but folded facts: no owner's state is read here.

A torn input, of which some message was lost, is folded as nothing but its doubts: facts of
its other parts could show a task's end beside a notification that nobody saw. They come with
the resync, in which every owner sends all it has; until then nothing falls.

An input is looked at unless it is of another conversation, a repeat or out of date, or the
session is over. Ignored inputs still have a number, and move the clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, assert_never

import msgspec

from gapless.actors import lead as leading
from gapless.actors.clock import advance
from gapless.actors.closing import outdate, settle, wants_round
from gapless.actors.conversations import NOBODY, Foreign, attribute
from gapless.actors.hearing import is_old_news, refusal
from gapless.actors.ledger import prune
from gapless.actors.losses import hear_anew, mind_losses, mind_void, wants_resync
from gapless.actors.projection import children_work, project
from gapless.actors.routing import parts_of, with_epoch
from gapless.actors.state import SessionState
from gapless.actors.step import Send, ToLead
from gapless.messages.answers import Answer, Ignored
from gapless.messages.effects import Effect
from gapless.messages.inputs import (
    CloseRound,
    ConversationEnded,
    ConversationStarted,
    HarnessInput,
    Input,
    NotificationInput,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    ShellGrew,
    ShellInput,
    StatusRead,
    StopAsked,
    TimerFired,
    TurnEnded,
)
from gapless.messages.moment import Hop, Moment
from gapless.messages.recorded import Recorded
from gapless.messages.session import (
    ChildAsksFact,
    Facts,
    LeadFact,
    Lost,
    NotificationFact,
    Said,
    TaskFact,
)
from gapless.typings.evidence import Evidence, Provenance, Source
from gapless.typings.ids import OWNERS, HarnessSessionId, OwnerName
from gapless.typings.lead import TurnClosed, TurnOpen
from gapless.typings.phases import REGISTRY_KINDS, HowSettled, Settled
from gapless.typings.settings import Settings
from gapless.typings.states import Ended
from gapless.typings.view import SessionView


class Begun(NamedTuple):
    """An input that is looked at: its parts, to be folded by ``conclude`` when answered."""

    before: SessionState
    state: SessionState
    moment: Moment
    sends: tuple[Send, ...]


class Skipped(NamedTuple):
    """An input that changes nothing but the clock, and why."""

    before: SessionState
    state: SessionState
    moment: Moment
    reason: str


Beginning: TypeAlias = Begun | Skipped


def begin(before: SessionState, row: Recorded, settings: Settings) -> Beginning:
    """Take the next input of the list.

    Raises:
        ValueError: the list has a gap, or goes back; whoever numbers it has a bug.

    """
    if row.number != before.upto + 1:
        msg = f"input {row.number} follows input {before.upto}: the list is not whole"
        raise ValueError(msg)
    alarm = None if before.view is None else before.view.next_wake_ms
    clock = advance(before.clock, row.at_ms, alarm, settings, idle=before.idle, quiet=before.quiet)
    state = msgspec.structs.replace(before, clock=clock, upto=row.number)
    moment = _moment(state, row)
    reason = refusal(state, row, settings)
    if reason is not None:
        return Skipped(before, state, moment, reason)
    what = row.what
    if isinstance(what, HarnessInput):
        whose = attribute(
            state.conversations,
            what,
            16 * settings.remembered,
            shell_open=state.lead.shell_open,
            shells=_shells_run(state),
        )
        state = msgspec.structs.replace(
            state,
            conversations=whose.conversations,
            gated=state.gated and row.source is Source.HOST,
            hooks_live=state.hooks_live or _is_live(row),
        )
        if isinstance(whose, Foreign):
            return Skipped(before, state, moment, whose.reason)
        moment = _of_conversation(moment, whose.conversation, new_epoch=whose.new_epoch)
    if moment.new_epoch:
        return Begun(
            before, _revived(state, what), moment, with_epoch(parts_of(what, moment), moment)
        )
    if is_old_news(state, what, moment, settings):
        return Skipped(before, state, moment, "this conversation was heard to begin already")
    sends = parts_of(what, moment)
    if isinstance(what, ResyncAsked):
        sends = tuple(it for it in sends if it.message.hop.to in state.torn)
    if isinstance(what, TimerFired) and state.lead.due_ms is None:
        sends = tuple(it for it in sends if not isinstance(it, ToLead))
    if isinstance(what, TurnEnded) and leading.is_of_older_prompt(state.lead, what):
        sends = tuple(it for it in sends if isinstance(it, ToLead))
    return Begun(before, _revived(state, what), moment, sends)


def _moment(state: SessionState, row: Recorded) -> Moment:
    by = Evidence(
        number=row.number,
        at_ms=state.clock.now_ms,
        source=row.source,
        provenance=row.provenance,
    )
    return Moment(
        by=by,
        folded=state.folded,
        conversation=state.conversations.current,
        lead_closed=isinstance(state.lead.turn, TurnClosed) or bool(state.lost),
        idle=state.idle,
        idle_ms=state.clock.idle_ms,
        idle_base_ms=state.clock.idle_base_ms,
        quiet=state.quiet,
        quiet_ms=state.clock.quiet_ms,
        over=state.ended is not None
        and not isinstance(row.what, PromptSubmitted | ConversationStarted),
        children=isinstance(row.what, TimerFired) and children_work(state),
        others_ask=isinstance(row.what, StatusRead) and bool(state.child_asks.asks),
    )


def _of_conversation(
    moment: Moment, conversation: HarnessSessionId | None, *, new_epoch: bool
) -> Moment:
    if not new_epoch and conversation == moment.conversation:
        return moment
    return msgspec.structs.replace(
        moment,
        conversation=conversation,
        new_epoch=new_epoch,
    )


def _is_live(row: Recorded) -> bool:
    """Whether this came from the harness's own events, as it happened."""
    return row.source in {Source.HOOK, Source.BUS} and row.provenance is Provenance.LIVE


def _shells_run(state: SessionState) -> bool:
    standing = state.ledger.standing
    return standing.plain > 0 or any(it.kind in REGISTRY_KINDS for it in standing.notable.values())


def _revived(state: SessionState, what: Input) -> SessionState:
    """Take back that the session is over, or its pane gone, for what shows that it is not."""
    if isinstance(what, PromptSubmitted | ConversationStarted) and state.ended is not None:
        state = msgspec.structs.replace(state, ended=None, ended_by=None)
    if isinstance(what, HarnessInput) and state.cleared_by is not None:
        state = msgspec.structs.replace(state, cleared_by=None)
    return state


class Concluded(NamedTuple):
    """An input that is over: the view to publish, what to answer, what the session wants next."""

    state: SessionState
    view: SessionView
    answers: tuple[Answer, ...] = ()
    wants: tuple[Input, ...] = ()
    effects: tuple[Effect, ...] = ()


def skip(begun: Skipped, row: Recorded, settings: Settings) -> Concluded:
    """Conclude an input that was not looked at."""
    state = begun.state
    if row.void:
        state = outdate(mind_void(state, row.what, begun.moment.by))
    if isinstance(row.what, ResyncAsked):
        state = msgspec.structs.replace(
            state, resync_due=False, resyncs_lost=state.resyncs_lost + 1
        )
    return _publish(begun.before, state, (Ignored(reason=begun.reason),), settings)


def conclude(begun: Begun, row: Recorded, answers: Iterable[Said], settings: Settings) -> Concluded:
    """Fold what the owners said to their parts of an input."""
    state, moment = begun.state, begun.moment
    was_open = isinstance(state.lead.turn, TurnOpen)
    facts: list[Facts] = []
    lost: list[Lost] = []
    for answer in answers:
        match answer:
            case Facts():
                facts.append(answer)
            case Lost():
                lost.append(answer)
            case _:
                assert_never(answer)
    if lost:
        facts = []
    for it in sorted(facts, key=lambda it: it.answers.place):
        state = _fold(state, it)
    asked: set[OwnerName] = {it.message.hop.to for it in begun.sends}
    state = mind_losses(state, row.what, lost, asked)
    state = hear_anew(state, row.what, new_epoch=moment.new_epoch)
    state = _lifecycle(state, row.what, moment)
    if was_open and not isinstance(state.lead.turn, TurnOpen):
        clock = msgspec.structs.replace(state.clock, idle_base_ms=state.clock.idle_ms)
        state = msgspec.structs.replace(state, clock=clock)
    ledger = prune(state.ledger, state.clock.now_ms - settings.early_end_ms)
    state = msgspec.structs.replace(state, ledger=ledger)
    settled = settle(state, row.what, moment)
    answered = settled.answers or (() if lost else _nothing_came_of(row.what, facts))
    effects = tuple(effect for it in facts for effect in it.effects)
    concluded = _publish(begun.before, settled.state, answered, settings)
    return concluded._replace(effects=effects)


def abandon(begun: Begun, row: Recorded, settings: Settings) -> Concluded:
    """Conclude an input that cannot be folded: nothing falls until all owners have sent all."""
    by, number = begun.moment.by, row.number
    lost = [Lost(number=number, answers=Hop(sender=None, to=it), by=by) for it in OWNERS]
    state = msgspec.structs.replace(begun.before, clock=begun.state.clock, upto=number)
    state = mind_losses(state, row.what, lost, OWNERS)
    return _publish(begun.before, state, (), settings)


def _nothing_came_of(what: Input, said: list[Facts]) -> tuple[Answer, ...]:
    """Say so where a host or a harness was heard and no owner had a fact to add."""
    asks_nothing = isinstance(what, StopAsked | ShellGrew)
    if asks_nothing or not isinstance(what, HarnessInput | ShellInput | NotificationInput):
        return ()
    if any(it.facts for it in said):
        return ()
    return (Ignored(reason="it changes nothing that is known"),)


def _publish(
    before: SessionState, state: SessionState, answers: tuple[Answer, ...], settings: Settings
) -> Concluded:
    view = project(state, settings, before)
    wants: list[Input] = []
    if wants_resync(state):
        wants.append(ResyncAsked(owner=next(iter(state.lost))))
    state = msgspec.structs.replace(
        state,
        view=view,
        folded=state.folded if state.lost else state.upto,
        resync_due=state.resync_due or bool(wants),
    )
    question = wants_round(state)
    if question is not None:
        wants.append(CloseRound(question=question))
    return Concluded(state, view, answers, tuple(wants))


def _fold(state: SessionState, answer: Facts) -> SessionState:
    if answer.number != state.upto:
        return state
    tasks: list[TaskFact] = []
    notes: list[NotificationFact] = []
    lead, child_asks = state.lead, state.child_asks
    for fact in answer.facts:
        match fact:
            case TaskFact():
                tasks.append(fact)
            case NotificationFact():
                notes.append(fact)
            case LeadFact():
                lead = fact if fact.number >= lead.number else lead
            case ChildAsksFact():
                child_asks = fact if fact.number >= child_asks.number else child_asks
            case _:
                assert_never(fact)
    ledger = state.ledger.add(tasks, notes) if tasks or notes else state.ledger
    return msgspec.structs.replace(
        state,
        lead=lead,
        child_asks=child_asks,
        ledger=ledger,
        lapsed=_lapsed(state, notes),
    )


def _lapsed(state: SessionState, notes: list[NotificationFact]) -> tuple[NotificationFact, ...]:
    """Keep the last few notifications that never came, for ``why``."""
    new = [
        it for it in notes if isinstance(it.phase, Settled) and it.phase.how is HowSettled.LAPSED
    ]
    return (*state.lapsed, *new)[-8:] if new else state.lapsed


def _lifecycle(state: SessionState, what: Input, moment: Moment) -> SessionState:
    match what:
        case ConversationEnded(cause=cause):
            return msgspec.structs.replace(state, ended=Ended(cause=cause), ended_by=moment.by)
        case PaneCleared():
            return msgspec.structs.replace(
                state,
                conversations=NOBODY,
                ended=None,
                ended_by=None,
                cleared_by=moment.by,
                hooks_live=False,
            )
        case _:
            return state
