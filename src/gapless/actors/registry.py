"""The shell registry: shells and monitors, managed (started here) or reported (by a harness).

The rule that makes the hold gapless is here: on an end the registry first hands the
notification to the drain, shows the shell as running until the drain has confirmed it
(``Taken``), and only then publishes the end. Sent is not handled: what protects a reader
is that the giver keeps until the taker has. A shell holds from before its process
exists: the effect that forks is released after the view that shows ``Starting``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import lives as living
from gapless.actors import unnamed
from gapless.actors.lives import Lives
from gapless.actors.owner import Owner, Wiring
from gapless.actors.places import NO_PLACES, Places, places
from gapless.actors.recent import without
from gapless.actors.step import Step, ToDrain
from gapless.messages.drain import Notify, Taken
from gapless.messages.effects import Effect, SpawnShell, StopShell
from gapless.messages.inputs import (
    ConversationEnded,
    ConversationStarted,
    EffectDone,
    InventoryListed,
    NotificationDelivered,
    PaneCleared,
    PromptSubmitted,
    ResyncAsked,
    ShellAdopted,
    ShellExited,
    ShellGrew,
    ShellInput,
    ShellLost,
    SignalFailed,
    Signalled,
    SpawnAsked,
    Spawned,
    SpawnFailed,
    StatusRead,
    StatusWord,
    StopAsked,
    TaskFinished,
    TasksRestored,
    TaskStarted,
    TurnEnded,
)
from gapless.messages.moment import SESSION_TO_REGISTRY, Moment
from gapless.messages.registry import RegistryInput, RegistryMessage, RegistryPart
from gapless.messages.session import Facts, TaskFact
from gapless.typings.ids import InputNumber, ManagedId, TaskId, TaskKey
from gapless.typings.phases import (
    REGISTRY_KINDS,
    HowEnded,
    Running,
    Starting,
    TaskEnded,
    TaskKind,
    TaskPhase,
)
from gapless.typings.settings import Settings


@final
class Managed(Struct, frozen=True, kw_only=True):
    """One managed shell.

    ``ending``: its end, until the drain has its notification; ``unwanted``: it was to be stopped
    before it was heard to run, and will be then.
    """

    key: ManagedId
    phase: TaskPhase
    ending: TaskEnded | None = None
    unwanted: bool = False

    def fact(self, moment: Moment) -> TaskFact:
        """Return it as the registry's fact."""
        return TaskFact(
            key=self.key, number=moment.by.number, kind=TaskKind.SHELL, phase=self.phase
        )


@final
class RegistryState(Struct, frozen=True, kw_only=True):
    """The shells as they stand.

    ``ended`` are those of ``managed`` that ended, and by which input they were heard to;
    ``handing`` those whose notification the drain has not confirmed; ``over`` are the managed
    shells of each incarnation that need no entry to be known as over; ``shell_said``: the last word
    of the status file was that a shell runs.
    """

    managed: Mapping[ManagedId, Managed] = {}
    ended: Mapping[ManagedId, InputNumber] = {}
    handing: Mapping[ManagedId, None] = {}
    over: Mapping[int, Places] = {}
    lives: Lives = Lives(owner="registry")
    shell_said: bool = False


def step(state: RegistryState, message: RegistryMessage, settings: Settings) -> Step[RegistryState]:
    """Take one message."""
    match message:
        case RegistryPart(moment=moment, what=what):
            whole = isinstance(what, ResyncAsked)
            kept = state if whole else _forget(state, moment, settings)
            after = _leave(kept) if moment.new_epoch else kept
            after, effects = _part(after, moment, what, settings)
            told = (what.shell,) if isinstance(what, ShellInput) else ()
            return _reply(state, after, moment, effects, told, whole=whole)
        case Taken():
            return _taken(state, message)
        case _:
            assert_never(message)


def _part(
    state: RegistryState, moment: Moment, what: RegistryInput | None, settings: Settings
) -> tuple[RegistryState, tuple[Effect, ...]]:
    lives = state.lives
    match what:
        case None:
            return state, ()
        case SpawnAsked():
            return _spawn(state, moment, what)
        case EffectDone():
            return _effect_done(state, moment, what)
        case ShellExited(shell=shell, code=code):
            return _end(state, moment, shell, _how(code), owes=True), ()
        case ShellLost(shell=shell):
            return _end(state, moment, shell, HowEnded.LOST, owes=True), ()
        case ShellAdopted(shell=shell):
            return _runs(state, moment, shell)
        case StopAsked(shell=shell):
            return _stop(state, moment, shell)
        case ShellGrew() | ResyncAsked():
            return state, ()
        case TaskStarted():
            lives = living.start(unnamed.name(lives, moment), moment, what, settings)
            return _with(state, lives), ()
        case TaskFinished():
            return _with(state, living.hear_end(lives, moment, what, settings)), ()
        case PromptSubmitted(delivers=tasks) | NotificationDelivered(tasks=tasks):
            return _delivered(state, moment, tasks, settings), ()
        case TurnEnded(inventory=inventory) | InventoryListed(inventory=inventory):
            if inventory is not None and inventory.tasks is not None:
                lives = unnamed.name(lives, moment)
                lives = living.reconcile(lives, moment, inventory, REGISTRY_KINDS, settings)
            return _with(state, lives), ()
        case StatusRead(word=word):
            lives = unnamed.hear(lives, moment, word, settings, followed=state.shell_said)
            said = word is StatusWord.SHELL
            return msgspec.structs.replace(state, lives=lives, shell_said=said), ()
        case ConversationStarted() | ConversationEnded():
            return _leave(state), ()
        case PaneCleared():
            lives = living.void(lives, moment, lives.running())
            return _leave(_with(state, lives)), ()
        case TasksRestored(tasks=tasks):
            lives = living.restore(lives, moment, tasks, REGISTRY_KINDS)
            return _with(state, lives), ()
        case _:
            assert_never(what)


def _how(code: int | None) -> HowEnded:
    if code is None:
        return HowEnded.LOST
    return HowEnded.FAILED if code else HowEnded.COMPLETED


def _spawn(
    state: RegistryState, moment: Moment, what: SpawnAsked
) -> tuple[RegistryState, tuple[Effect, ...]]:
    if _known(state, what.shell):
        return state, ()
    started = Managed(key=what.shell, phase=Starting(by=moment.by))
    effect = SpawnShell(
        number=moment.by.number, shell=what.shell, argv=what.argv, cwd=what.cwd, env=what.env
    )
    return _put(state, started), (effect,)


def _stop(
    state: RegistryState, moment: Moment, shell: ManagedId
) -> tuple[RegistryState, tuple[Effect, ...]]:
    """Stop a shell, if it runs; one that is being started once that is done."""
    managed = state.managed.get(shell)
    if managed is None:
        return state, ()
    match managed.phase:
        case Starting():
            return _put(state, msgspec.structs.replace(managed, unwanted=True)), ()
        case Running():
            return state, (StopShell(number=moment.by.number, shell=shell),)
        case TaskEnded():
            return state, ()
        case _:
            assert_never(managed.phase)


def _effect_done(
    state: RegistryState, moment: Moment, what: EffectDone
) -> tuple[RegistryState, tuple[Effect, ...]]:
    match what.outcome:
        case Spawned():
            return _runs(state, moment, what.shell)
        case SpawnFailed():
            managed = state.managed.get(what.shell)
            if managed is not None and not isinstance(managed.phase, Starting):
                return state, ()
            return _end(state, moment, what.shell, HowEnded.NEVER_STARTED, owes=False), ()
        case Signalled() | SignalFailed():
            return state, ()
        case _:
            assert_never(what.outcome)


def _runs(
    state: RegistryState, moment: Moment, shell: ManagedId
) -> tuple[RegistryState, tuple[Effect, ...]]:
    managed = state.managed.get(shell)
    if managed is None and _known(state, shell):
        return state, ()
    if managed is not None and not isinstance(managed.phase, Starting):
        return state, ()
    if managed is not None and managed.ending is not None:
        return state, ()
    unwanted = managed is not None and managed.unwanted
    stop = (StopShell(number=moment.by.number, shell=shell),) if unwanted else ()
    return _put(state, Managed(key=shell, phase=Running(by=moment.by))), stop


def _end(
    state: RegistryState, moment: Moment, shell: ManagedId, how: HowEnded, *, owes: bool
) -> RegistryState:
    managed = state.managed.get(shell)
    if managed is None and _known(state, shell):
        return state
    if managed is not None and (managed.ending is not None or isinstance(managed.phase, TaskEnded)):
        return state
    end = TaskEnded(by=moment.by, owes=owes, how=how)
    if not owes:
        return _put(state, Managed(key=shell, phase=end))
    shown = Running(by=moment.by) if managed is None else managed.phase
    return _put(state, Managed(key=shell, phase=shown, ending=end))


def _known(state: RegistryState, shell: ManagedId) -> bool:
    return shell in state.managed or shell.counter in state.over.get(shell.incarnation, NO_PLACES)


def _put(state: RegistryState, managed: Managed) -> RegistryState:
    key, ended, handing = managed.key, state.ended, state.handing
    if isinstance(managed.phase, TaskEnded):
        ended = {**ended, key: managed.phase.by.number}
    if managed.ending is not None:
        handing = {**handing, key: None}
    elif key in handing:
        handing = without(handing, key)
    after = {**state.managed, key: managed}
    return msgspec.structs.replace(state, managed=after, ended=ended, handing=handing)


def _forget(state: RegistryState, moment: Moment, settings: Settings) -> RegistryState:
    """Forget what is over, once its end was folded; of managed shells all but their places."""
    state = _with(state, living.forget(state.lives, moment, settings.remembered))
    doomed = [key for key, number in state.ended.items() if number <= moment.folded]
    if not doomed:
        return state
    managed, ended, over = dict(state.managed), dict(state.ended), dict(state.over)
    for key in doomed:
        del managed[key], ended[key]
        known = over.get(key.incarnation, NO_PLACES)
        over[key.incarnation] = places(key.counter) | known
    return msgspec.structs.replace(state, managed=managed, ended=ended, over=over)


def _delivered(
    state: RegistryState, moment: Moment, tasks: tuple[TaskId, ...], settings: Settings
) -> RegistryState:
    lives = state.lives
    for task in tasks:
        lives = living.hear_end(lives, moment, TaskFinished(task=task), settings)
    return _with(state, lives)


def _leave(state: RegistryState) -> RegistryState:
    """Keep the shells of a conversation that is over; only untimely ends are forgotten."""
    if not state.lives.early:
        return state
    lives = msgspec.structs.replace(state.lives, early={})
    return msgspec.structs.replace(state, lives=lives)


def _with(state: RegistryState, lives: Lives) -> RegistryState:
    if lives is state.lives:
        return state
    return msgspec.structs.replace(state, lives=lives)


def _handing(state: RegistryState) -> tuple[TaskKey, ...]:
    managed: Iterable[ManagedId] = state.handing
    if len(state.handing) > 1:  # in the order in which they were started
        managed = (key for key in state.managed if key in state.handing)
    return (*managed, *living.handing(state.lives))


def _reply(  # noqa: PLR0913 - one reply, its parts
    before: RegistryState,
    after: RegistryState,
    moment: Moment,
    effects: tuple[Effect, ...],
    told: tuple[ManagedId, ...],
    *,
    whole: bool,
) -> Step[RegistryState]:
    """Answer a part; where notifications are handed over, their ends are not told yet."""
    keys = () if whole else _handing(after)
    notify = Notify(moment=moment, giver="registry", keys=keys)
    facts = Facts(
        number=moment.number,
        answers=SESSION_TO_REGISTRY,
        facts=_all(after, moment) if whole else _changed(before, after, moment, told),
        passed=(notify.hop,) if keys else (),
        effects=effects,
        whole=whole,
    )
    return Step(after, facts, (ToDrain(notify),) if keys else ())


def _taken(state: RegistryState, message: Taken) -> Step[RegistryState]:
    """Publish the ends that the drain now has."""
    moment = message.moment
    after = _with(state, living.taken(state.lives, message.keys, moment))
    told = tuple(it for it in message.keys if isinstance(it, ManagedId) and it in state.handing)
    for key in told:
        managed = state.managed[key]
        if managed.ending is not None:
            after = _put(after, Managed(key=key, phase=managed.ending))
    ended = _changed(state, after, moment, told)
    facts = Facts(number=moment.number, answers=message.hop, facts=ended)
    return Step(after, facts)


def _changed(
    before: RegistryState, after: RegistryState, moment: Moment, told: tuple[ManagedId, ...]
) -> tuple[TaskFact, ...]:
    """Return the facts of what changed, where of managed shells only the told ones may have."""
    managed = tuple(
        after.managed[key].fact(moment)
        for key in told
        if key in after.managed and before.managed.get(key) is not after.managed[key]
    )
    return (*managed, *living.changed(before.lives, after.lives))


def _all(state: RegistryState, moment: Moment) -> tuple[TaskFact, ...]:
    managed = (it.fact(moment) for it in state.managed.values())
    return (*managed, *(life.fact() for life in state.lives.current.values()))


@final
class ShellRegistry(Owner[RegistryState, RegistryMessage]):
    """The actor behind the shell registry."""

    def __init__(self, wiring: Wiring, settings: Settings) -> None:
        def resync(moment: Moment) -> RegistryMessage:
            return RegistryPart(moment=moment, what=ResyncAsked(owner="registry"))

        super().__init__(wiring, RegistryState(), partial(step, settings=settings), resync)
