"""The child roster: children, teammates, workflows, and tasks of a type nobody knows.

It counts their lives (``lives``), reconciles them with inventories, keeps each child's
calls and asks, and hands what they owe to the drain. A child without a type that
was never seen to start is no child: internal forks of a CLI send such events.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import calls as calling
from gapless.actors import lives as living
from gapless.actors.asking import ask_from
from gapless.actors.calls import NO_CALLS, Calls
from gapless.actors.lives import Life, Lives
from gapless.actors.owner import Owner, Wiring
from gapless.actors.step import Step, ToDrain
from gapless.messages.drain import Notify, Taken
from gapless.messages.inputs import (
    AgentsKilled,
    AskAnswered,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    Inventory,
    InventoryListed,
    Launch,
    NotificationDelivered,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    TaskFinished,
    TaskSeen,
    TasksRestored,
    TaskStarted,
    TeammateParked,
    TimerFired,
    TurnEnded,
    TurnEndLogged,
)
from gapless.messages.moment import SESSION_TO_ROSTER, Hop, Moment
from gapless.messages.roster import RosterInput, RosterMessage, RosterPart
from gapless.messages.session import ChildAsksFact, Fact, Facts
from gapless.typings.asks import Ask
from gapless.typings.ids import TaskId
from gapless.typings.phases import ROSTER_KINDS, HowEnded, TaskKind
from gapless.typings.settings import Settings


@final
class RosterState(Struct, frozen=True, kw_only=True):
    """The children as they stand."""

    lives: Lives = Lives(owner="roster")
    calls: Mapping[TaskId, Calls] = {}

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What all children ask."""
        return tuple(ask for calls in self.calls.values() for ask in calls.asks)


def step(state: RosterState, message: RosterMessage, settings: Settings) -> Step[RosterState]:
    """Take one message."""
    match message:
        case RosterPart(moment=moment, what=what):
            whole = isinstance(what, ResyncAsked)
            kept = state if whole else _forget(state, moment, settings)
            after = _leave(kept, moment, settings) if moment.new_epoch else kept
            after = _part(after, moment, what, settings)
            return _reply(state, after, moment, whole=whole)
        case Taken():
            return _taken(state, message, settings)
        case _:
            assert_never(message)


def _part(
    state: RosterState, moment: Moment, what: RosterInput | None, settings: Settings
) -> RosterState:
    limit = settings.remembered
    match what:
        case None:
            return state
        case PromptSubmitted(delivers=delivers, typed=typed):
            state = _drop_asks(state, limit) if typed else state
            return _delivered(state, moment, delivers, settings)
        case NotificationDelivered(tasks=tasks):
            return _delivered(state, moment, tasks, settings)
        case CallStarted() | CallEnded() | AskRaised() | AskAnswered():
            return _agent_event(state, moment, what, settings)
        case TaskStarted():
            return _with(state, living.start(state.lives, moment, what, settings), limit)
        case TaskSeen(task=task, typed=typed):
            lives = _sign(state.lives, moment, task, settings, typed=typed)
            return _with(state, _revive(lives, moment, task, settings), limit)
        case TaskFinished():
            return _finished(state, moment, what, settings)
        case TeammateParked(teammate=teammate):
            return _with(state, _park(state.lives, moment, teammate), limit)
        case TurnEnded(inventory=inventory):
            lives = state.lives
            if inventory is not None:
                lives = living.reconcile(lives, moment, inventory, ROSTER_KINDS, settings)
                lives = _outlived(lives, moment, inventory, settings)
            return _with(state, _outliving(lives), limit)
        case TurnEndLogged(agents=agents):
            return _with(state, _counted(state.lives, moment, agents, settings), limit)
        case AgentsKilled():
            return _with(state, _killed(state.lives, moment), limit)
        case InventoryListed(inventory=inventory):
            lives = living.reconcile(state.lives, moment, inventory, ROSTER_KINDS, settings)
            return _with(state, lives, limit)
        case ConversationStarted(how=how):
            return state if how is Boundary.COMPACT else _leave(state, moment, settings)
        case ConversationEnded() | PaneCleared():
            return _leave(state, moment, settings, everyone=True)
        case TasksRestored(tasks=tasks):
            return _with(state, living.restore(state.lives, moment, tasks, ROSTER_KINDS), limit)
        case TimerFired():
            return _with(state, _fall_silent(state.lives, moment, settings), limit)
        case ResyncAsked():
            return state
        case _:
            assert_never(what)


def _delivered(
    state: RosterState, moment: Moment, tasks: tuple[TaskId, ...], settings: Settings
) -> RosterState:
    for task in tasks:
        state = _finished(state, moment, TaskFinished(task=task), settings)
    return state


def _finished(
    state: RosterState, moment: Moment, what: TaskFinished, settings: Settings
) -> RosterState:
    """Hear that a child is over; what it asks and calls ends with it, known or not."""
    limit = settings.remembered
    state = _with(state, living.hear_end(state.lives, moment, what, settings), limit)
    mine = state.calls.get(what.task, NO_CALLS)
    over = calling.all_over(mine, limit)
    if over is mine:
        return state
    return msgspec.structs.replace(state, calls={**state.calls, what.task: over})


def _agent_event(
    state: RosterState,
    moment: Moment,
    what: CallStarted | CallEnded | AskRaised | AskAnswered,
    settings: Settings,
) -> RosterState:
    """Take a child's call or ask: a sign of life, and never more to anybody but this child."""
    agent, limit = what.agent, settings.remembered
    if agent is None:
        return state
    calls = state.calls.get(agent, NO_CALLS)
    if not isinstance(what, AskAnswered):
        lives = _sign(state.lives, moment, agent, settings, typed=what.typed)
        new_call = isinstance(what, CallStarted) and not calls.knows(what.call)
        if new_call or isinstance(what, AskRaised):
            lives = _revive(lives, moment, agent, settings)
        state = _with(state, lives, limit)
    match what:
        case CallStarted():
            after = calling.start(calls, what, limit)
        case CallEnded():
            after = calling.end(calls, what, limit)
        case AskRaised():
            life = state.lives.current.get(agent)
            over = life is not None and not life.running
            after = calls if over else calling.ask(calls, ask_from(what, moment.by))
        case AskAnswered():
            after = calling.answer(calls, what, limit)
        case _:
            assert_never(what)
    if after is calls:
        return state
    return msgspec.structs.replace(state, calls={**state.calls, agent: after})


def _sign(lives: Lives, moment: Moment, task: TaskId, settings: Settings, *, typed: bool) -> Lives:
    life = lives.current.get(task)
    if life is None:
        if not typed or living.early_end(lives, moment, task, settings) is not None:
            return lives
        return living.begin_unseen(lives, moment, task, TaskKind.AGENT)
    return living.put(lives, living.seen(life, moment)) if life.running else lives


def _revive(lives: Lives, moment: Moment, task: TaskId, settings: Settings) -> Lives:
    """Begin a new life for an ended child that shows itself when its end is old news."""
    life = lives.current.get(task)
    if life is None or not living.is_old_news(life, moment, settings):
        return lives
    return living.begin_unseen(lives, moment, task, life.kind)


def _park(lives: Lives, moment: Moment, teammate: str) -> Lives:
    for life in lives.running():
        if life.teammate == teammate and life.kind is TaskKind.TEAMMATE:
            confirmed = msgspec.structs.replace(life, confirmed=True)
            lives = living.finish(lives, moment, confirmed, HowEnded.PARKED, in_turn=True)
    return lives


def _outlived(lives: Lives, moment: Moment, inventory: Inventory, settings: Settings) -> Lives:
    """Let a child owe whose end overtook the end of the turn that still lists it as running."""
    for row in inventory.tasks or ():
        life = lives.current.get(row.task)
        listed = row.running and row.kind in ROSTER_KINDS
        if not listed or life is None or life.end is None:
            continue
        unseen = life.kind is TaskKind.AGENT and life.launch is Launch.UNSEEN
        if unseen and moment.by.at_ms - life.end.by.at_ms <= settings.early_end_ms:
            lives = living.put(lives, living.owe(life, moment))
    return lives


def _outliving(lives: Lives) -> Lives:
    """Call background work what was launched unseen and outlives the turn."""
    for life in lives.running():
        if life.kind is TaskKind.AGENT and life.launch is Launch.UNSEEN:
            background = msgspec.structs.replace(life, launch=Launch.BACKGROUND)
            lives = living.put(lives, background)
    return lives


UNLISTED: Final = "background-agents-"
"""How agents are called that the log counts and nothing else told of."""


def _counted(lives: Lives, moment: Moment, agents: int | None, settings: Settings) -> Lives:
    """Compare with how many background agents the log says are left at a turn's end.

    The end may be that of the turn before: what was heard of since then is left alone.
    """
    if agents is None:
        return lives
    mine = [life for life in lives.running() if life.kind is TaskKind.AGENT]
    unlisted = [life for life in lives.running() if _is_unlisted(life)]
    if agents > len(mine):
        if unlisted:
            return lives
        name = TaskId(f"{UNLISTED}{lives.count + 1}")
        return living.begin_unseen(lives, moment, name, TaskKind.UNKNOWN)
    lives = living.void(lives, moment, unlisted)
    for life in mine if agents == 0 else ():
        if moment.by.at_ms - life.seen_ms > settings.early_end_ms:
            lives = living.finish(lives, moment, life, HowEnded.VANISHED, in_turn=False)
    return lives


def _is_unlisted(life: Life) -> bool:
    return life.kind is TaskKind.UNKNOWN and life.key.task.startswith(UNLISTED)


def _killed(lives: Lives, moment: Moment) -> Lives:
    for life in lives.running():
        if life.kind is TaskKind.AGENT or _is_unlisted(life):
            lives = living.finish(lives, moment, life, HowEnded.STOPPED, in_turn=False)
    return lives


def _fall_silent(lives: Lives, moment: Moment, settings: Settings) -> Lives:
    for life in lives.running():
        if not life.silent and moment.by.at_ms - life.seen_ms >= settings.child_lease_ms:
            silent = msgspec.structs.replace(life, silent=True, number=moment.by.number)
            lives = living.put(lives, silent)
    return lives


def _leave(
    state: RosterState, moment: Moment, settings: Settings, *, everyone: bool = False
) -> RosterState:
    """Void the children of a conversation that is over; a confirmed teammate goes on."""
    doomed = [life for life in state.lives.running() if everyone or not _stays(life, moment)]
    lives = living.void(state.lives, moment, doomed)
    lives = msgspec.structs.replace(lives, early={})
    state = _with(state, lives, settings.remembered)
    return _drop_asks(state, settings.remembered)


def _stays(life: Life, moment: Moment) -> bool:
    if life.kind is TaskKind.TEAMMATE and life.confirmed:
        return True
    return moment.new_epoch and life.conversation == moment.conversation


def _drop_asks(state: RosterState, limit: int) -> RosterState:
    if not state.asks:
        return state
    calls = {agent: calling.drop_asks(it, limit) for agent, it in state.calls.items()}
    return msgspec.structs.replace(state, calls=calls)


def _forget(state: RosterState, moment: Moment, settings: Settings) -> RosterState:
    """Forget the children that are over, once their end was folded."""
    lives = living.forget(state.lives, moment, settings.remembered)
    return _with(state, lives, settings.remembered)


def _with(state: RosterState, lives: Lives, limit: int) -> RosterState:
    """Take new lives; the calls and asks of a child end with it."""
    if lives is state.lives:
        return state
    calls = state.calls
    if len(calls) > 2 * limit:  # of agents that are forgotten, or never were children
        calls = {it: mine for it, mine in calls.items() if it in lives.current or mine.asks}
    for agent, mine in state.calls.items():
        life = lives.current.get(agent)
        if life is not None and not life.running and (mine.open or mine.asks):
            calls = {**calls, agent: calling.all_over(mine, limit)}
    return msgspec.structs.replace(state, lives=lives, calls=calls)


def _reply(
    before: RosterState, after: RosterState, moment: Moment, *, whole: bool
) -> Step[RosterState]:
    """Answer a part; where notifications are handed over, their ends are not told yet."""
    keys = () if whole else living.handing(after.lives)
    notify = Notify(moment=moment, giver="roster", keys=keys)
    passed = (notify.hop,) if keys else ()
    facts = _facts(before, after, moment, whole=whole, passed=passed)
    return Step(after, facts, (ToDrain(notify),) if keys else ())


def _taken(state: RosterState, message: Taken, settings: Settings) -> Step[RosterState]:
    """Publish the ends that the drain now has."""
    moment = message.moment
    lives = living.taken(state.lives, message.keys, moment)
    ended = living.changed(state.lives, lives)
    facts = Facts(number=moment.number, answers=message.hop, facts=ended)
    return Step(_with(state, lives, settings.remembered), facts)


def _facts(
    before: RosterState,
    after: RosterState,
    moment: Moment,
    *,
    whole: bool,
    passed: tuple[Hop, ...],
) -> Facts:
    if whole:
        facts: tuple[Fact, ...] = tuple(life.fact() for life in after.lives.current.values())
    else:
        facts = living.changed(before.lives, after.lives)
    if whole or before.calls is not after.calls:
        facts = (*facts, ChildAsksFact(number=moment.number, asks=after.asks))
    return Facts(
        number=moment.number,
        answers=SESSION_TO_ROSTER,
        facts=facts,
        passed=passed,
        whole=whole,
    )


@final
class ChildRoster(Owner[RosterState, RosterMessage]):
    """The actor behind the child roster."""

    def __init__(self, wiring: Wiring, settings: Settings) -> None:
        def resync(moment: Moment) -> RosterMessage:
            return RosterPart(moment=moment, what=ResyncAsked(owner="roster"))

        super().__init__(wiring, RosterState(), partial(step, settings=settings), resync)
