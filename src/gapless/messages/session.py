"""What the session is told: inputs to number, facts on those it numbered, and that time is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, final

from msgspec import Struct

from gapless.messages.answers import CallOutcome
from gapless.messages.effects import Effect
from gapless.messages.inputs import Input
from gapless.messages.inputs.inventory import CronRow
from gapless.messages.moment import Hop
from gapless.typings.asks import Ask
from gapless.typings.evidence import Evidence, Provenance, Source
from gapless.typings.ids import CallDigest, InputNumber, OwnerName, PromptId, TaskKey
from gapless.typings.lead import LeadTurnState
from gapless.typings.phases import NotificationPhase, TaskKind, TaskPhase


@final
class TaskFact(Struct, frozen=True, kw_only=True):
    """One life of one task, as its owner sees it after input ``number``.

    ``seen_ms`` is the last sign of life, ``silent`` that its lease without one ran out.
    """

    key: TaskKey
    number: InputNumber
    kind: TaskKind
    phase: TaskPhase
    confirmed: bool = True
    silent: bool = False
    seen_ms: int = 0
    word: str = ""


@final
class NotificationFact(Struct, frozen=True, kw_only=True, gc=False):
    """Where one notification is."""

    key: TaskKey
    phase: NotificationPhase


@final
class LeadFact(Struct, frozen=True, kw_only=True):
    """The lead after input ``number``: its turn, its asks, its crons.

    ``shell_open``: a call runs a command, so a foreign conversation may be a CLI
    inside it. ``hosted``: only the host vouches for the open turn. ``finished`` are the latest
    prompts whose turn is over, ``stopped`` those of them whose stop was heard. ``begun_ms`` is when
    this conversation was first heard, ``due_ms`` when the lead is to look again.
    ``bodies`` are the digests of prompts without an id, and when they came last.
    """

    number: InputNumber
    turn: LeadTurnState
    asks: tuple[Ask, ...] = ()
    crons: tuple[CronRow, ...] = ()
    crons_by: Evidence | None = None
    shell_open: bool = False
    hosted: bool = False
    finished: tuple[PromptId, ...] = ()
    stopped: tuple[PromptId, ...] = ()
    begun_ms: int | None = None
    due_ms: int | None = None
    bodies: Mapping[CallDigest, int] = {}


@final
class ChildAsksFact(Struct, frozen=True, kw_only=True):
    """What children ask, after input ``number``."""

    number: InputNumber
    asks: tuple[Ask, ...]


Fact: TypeAlias = TaskFact | NotificationFact | LeadFact | ChildAsksFact


@final
class Facts(Struct, frozen=True, kw_only=True):
    """One owner's answer to one hop of one input; empty if there was nothing to say.

    ``passed`` names the hops it sent on: the input is over when they are answered too.
    ``effects`` are to be released once the view that shows why is published.
    ``whole``: these are all facts of the owner (an answer in a resync).
    """

    number: InputNumber
    answers: Hop
    facts: tuple[Fact, ...] = ()
    passed: tuple[Hop, ...] = ()
    effects: tuple[Effect, ...] = ()
    whole: bool = False


@final
class Lost(Struct, frozen=True, kw_only=True, gc=False):
    """Instead of facts: this hop's message was lost, so the input is torn.

    ``by`` is the evidence of the input that lost it.
    """

    number: InputNumber
    answers: Hop
    by: Evidence

    @property
    def owner(self) -> OwnerName:
        """Who lost it."""
        return self.answers.to


Said: TypeAlias = Facts | Lost
"""What an owner says to one hop of one input."""


Caller: TypeAlias = Callable[[CallOutcome], object]
"""Who is to hear what came of an input; called once, where the session runs, so be brief."""


@final
class Take(Struct, frozen=True, kw_only=True):
    """Take this input: number it, when its turn comes, and answer ``caller``."""

    what: Input
    source: Source
    provenance: Provenance = Provenance.LIVE
    caller: Caller | None = None


@final
class GoOn(Struct, frozen=True, kw_only=True, gc=False):
    """The session to itself: take the next input that waits."""


@final
class PartOverdue(Struct, frozen=True, kw_only=True, gc=False):
    """The parts of this input have had their time."""

    number: InputNumber


@final
class AlarmRang(Struct, frozen=True, kw_only=True, gc=False):
    """The alarm rang that was set for ``due_ms`` of session time."""

    due_ms: int


@final
class AskStands(Struct, frozen=True, kw_only=True, gc=False):
    """The ask of this version has had its time to be answered by the harness itself."""

    upto: InputNumber


@final
class EffectsOverdue(Struct, frozen=True, kw_only=True, gc=False):
    """Effects that were released have had their time to be done."""


SessionMessage: TypeAlias = (
    Said | Take | GoOn | PartOverdue | AlarmRang | AskStands | EffectsOverdue
)
