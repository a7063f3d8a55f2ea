"""The races that the rules of the heart are there for, each named after its rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from gapless.messages.inputs import (
    Boundary,
    CloseAsked,
    CloseUsed,
    ContinuationTaken,
    ConversationStarted,
    NotificationSettled,
    SpawnAsked,
    TaskFinished,
    TurnEnded,
)
from gapless.typings.ids import InputNumber, QuestionId, TaskId, name_of
from gapless.typings.phases import Settled, TaskEnded, TaskKind
from gapless.typings.settings import DEFAULTS
from gapless.typings.view import SessionView
from tests.heart.outside import Exit
from tests.heart.promises import Event, Folded, HeartScenario
from tests.support.words import (
    BUILD,
    C1,
    C2,
    CHILD,
    OTHER,
    SECOND,
    SHELL,
    ends,
    prompt,
    row,
    starts,
    stop,
)

Before: TypeAlias = Sequence[Event]
Race: TypeAlias = Mapping[str, Event]
After: TypeAlias = Mapping[str, tuple[str, ...]]

SPAWN = SpawnAsked(shell=SHELL, argv=("make",))
SPAWN_2 = SpawnAsked(shell=SECOND, argv=("serve",))
TAKE = ContinuationTaken(keys=(SHELL,))
SETTLE = NotificationSettled(key=SHELL)
CLEAR = ConversationStarted(how=Boundary.CLEAR, conversation=C2)
ASK = CloseAsked(question=QuestionId(1))
DRAIN = CloseAsked(question=QuestionId(1), drain_ms=60_000)
DRAIN_2 = CloseAsked(question=QuestionId(2), drain_ms=60_000)
CLOSE = CloseUsed(question=QuestionId(1), as_of=InputNumber(3))


class TwoShellsEndInATurn(HeartScenario):
    """A giver keeps until the taker has: two ends are handed over while a turn runs."""

    before: ClassVar[Before] = (prompt(), SPAWN, SPAWN_2)
    race: ClassVar[Race] = {"exit": Exit(shell=SHELL), "exit 2": Exit(shell=SECOND)}


class AShellEndsWhileClosing(HeartScenario):
    """The question is asked once more when its turn is over: a shell was started meanwhile."""

    before: ClassVar[Before] = (prompt(), DRAIN, SPAWN)
    race: ClassVar[Race] = {"exit": Exit(shell=SHELL), "stop": stop(listed=False)}


class ATurnStartsAShell(HeartScenario):
    """Hold before fork: the shell holds before there is a process, also past its turn's end."""

    before: ClassVar[Before] = (prompt(),)
    race: ClassVar[Race] = {"spawn": SPAWN, "stop": stop(listed=False)}


class AContinuationStartsAShell(HeartScenario):
    """Active before yielding: the continuation that carries one shell's end starts another."""

    before: ClassVar[Before] = (prompt(), SPAWN, stop(), Exit(shell=SHELL))
    race: ClassVar[Race] = {"take": TAKE, "spawn": SPAWN_2, "settle": SETTLE}


class AContinuationEnds(HeartScenario):
    """The end of a turn settles what it carries, and only that."""

    before: ClassVar[Before] = (prompt(), SPAWN, stop(), Exit(shell=SHELL), TAKE)
    race: ClassVar[Race] = {"stop": stop(listed=False), "start": starts(BUILD)}


class SettledBeforeTheEndIsHeard(HeartScenario):
    """Once settled, settled: the host delivered a notification before its shell's end is heard."""

    before: ClassVar[Before] = (prompt(), SPAWN, stop())
    race: ClassVar[Race] = {"exit": Exit(shell=SHELL), "settle": SETTLE, "take": TAKE}


class AChildEndsBeforeItsStart(HeartScenario):
    """An end without a start cancels one start."""

    before: ClassVar[Before] = (prompt(),)
    race: ClassVar[Race] = {"end": ends(), "start": starts(), "again": starts(call="k2")}

    def expect_at_rest(self, view: SessionView, folded: Folded) -> None:
        assert not (ended(folded) and soon(view)) or not running(view, CHILD), (
            "a child runs on after its end"
        )


class ClearedWithAShellRunning(HeartScenario):
    """A new epoch voids what was owed and keeps the shells."""

    before: ClassVar[Before] = (prompt(of=C1), SPAWN)
    race: ClassVar[Race] = {"clear": CLEAR, "exit": Exit(shell=SHELL)}


class ClearedWithANotificationQueued(HeartScenario):
    """What an old epoch owed is void, also while a continuation is taken."""

    before: ClassVar[Before] = (prompt(of=C1), SPAWN, stop(of=C1), Exit(shell=SHELL))
    race: ClassVar[Race] = {"clear": CLEAR, "take": TAKE}


class TwoCloseQuestions(HeartScenario):
    """The gate belongs to one question: a second one meanwhile is told so."""

    before: ClassVar[Before] = (prompt(), DRAIN)
    race: ClassVar[Race] = {"ask": DRAIN_2, "stop": stop(listed=False)}


class APermitGoesStale(HeartScenario):
    """A permit is of one version: what begins later makes it stale."""

    before: ClassVar[Before] = (prompt(), stop(), ASK)
    race: ClassVar[Race] = {"prompt": prompt(), "stop": stop(listed=False), "close": CLOSE}
    after: ClassVar[After] = {"stop": ("prompt",)}


class AStopNamesAShellAndAChild(HeartScenario):
    """An inventory confirms what runs, and ends what it does not list."""

    before: ClassVar[Before] = (prompt(), starts(BUILD, TaskKind.SHELL), starts(), starts(OTHER))
    race: ClassVar[Race] = {"stop": stop(None, row(), row(BUILD, TaskKind.SHELL)), "end": ends()}

    def expect_at_rest(self, view: SessionView, folded: Folded) -> None:
        assert running(view, BUILD), "a shell that is listed runs on"
        assert not listed(folded) or not running(view, OTHER), "a child that is not listed runs on"
        late = ended(folded) and soon(view)  # a later list would tell of another life
        assert not late or not running(view, CHILD), "a child that ended is listed late"


class AReportedShellVanishes(HeartScenario):
    """A shell that is listed no more has ended, and owes, once."""

    before: ClassVar[Before] = (
        prompt(),
        starts(BUILD, TaskKind.SHELL),
        stop(None, row(BUILD, TaskKind.SHELL)),
    )
    race: ClassVar[Race] = {"stop": stop(), "end": ends(BUILD, TaskKind.SHELL)}

    def expect(self, view: SessionView, folded: Folded) -> None:
        over = folded.sure and (listed(folded, 2) or ended(folded))
        assert not over or not running(view, BUILD), "a shell that is listed no more runs on"
        owes = over and soon(view)  # later its lease is over
        assert not owes or owed(view, BUILD), "nobody is owed the end of a shell"


def running(view: SessionView, task: TaskId) -> bool:
    """Whether one reads that it runs."""
    tasks = [it for it in (*view.children, *view.shells) if name_of(it.key).startswith(task)]
    return any(not isinstance(it.phase, TaskEnded) for it in tasks)


def owed(view: SessionView, task: TaskId) -> bool:
    """Whether one reads that its end is still to be told."""
    tasks = [it for it in view.shells if name_of(it.key).startswith(task)]
    return any(not isinstance(it.notification, Settled) for it in tasks)


def soon(view: SessionView) -> bool:
    """Whether no lease, and nothing that is late, can be over."""
    return view.at_ms <= DEFAULTS.early_end_ms


def ended(folded: Folded) -> bool:
    """Whether the end of a task was heard."""
    return any(isinstance(it.what, TaskFinished) for it in folded.heard)


def listed(folded: Folded, times: int = 1) -> bool:
    """Whether so many inventories were heard."""
    return sum(isinstance(it.what, TurnEnded) for it in folded.heard) >= times


SCENARIOS: tuple[type[HeartScenario], ...] = (
    TwoShellsEndInATurn,
    AShellEndsWhileClosing,
    ATurnStartsAShell,
    AContinuationStartsAShell,
    AContinuationEnds,
    SettledBeforeTheEndIsHeard,
    AChildEndsBeforeItsStart,
    ClearedWithAShellRunning,
    ClearedWithANotificationQueued,
    TwoCloseQuestions,
    APermitGoesStale,
    AStopNamesAShellAndAChild,
    AReportedShellVanishes,
)


class TwoShellsEndWhileClosing(HeartScenario):
    """Handing over, settling and the gate at once."""

    before: ClassVar[Before] = (prompt(), SPAWN, SPAWN_2, DRAIN)
    race: ClassVar[Race] = {
        "exit": Exit(shell=SHELL),
        "exit 2": Exit(shell=SECOND),
        "stop": stop(listed=False),
        "take": TAKE,
    }


class ClearedWhileAContinuationIsTaken(HeartScenario):
    """A new epoch, a continuation and the host's own delivery of the same notification."""

    before: ClassVar[Before] = (prompt(of=C1), SPAWN, stop(of=C1), Exit(shell=SHELL))
    race: ClassVar[Race] = {"clear": CLEAR, "take": TAKE, "settle": SETTLE, "spawn": SPAWN_2}


class AChildAndAShellEnd(HeartScenario):
    """Children and shells end while the turn does, and somebody wants to close."""

    before: ClassVar[Before] = (prompt(), starts(), SPAWN)
    race: ClassVar[Race] = {
        "end": ends(),
        "exit": Exit(shell=SHELL),
        "stop": stop(listed=False),
        "ask": ASK,
    }


LARGER: tuple[type[HeartScenario], ...] = (
    TwoShellsEndWhileClosing,
    ClearedWhileAContinuationIsTaken,
    AChildAndAShellEnd,
)
