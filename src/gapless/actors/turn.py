"""The lead's turn: how it opens, closes, and opens again.

After a turn's end a prompt, a call with an id not seen before, or an ask opens it again; after an
interrupt that the host saw only a prompt does. But events of one turn overtake each other. So a
turn that was reopened by a call or an ask remembers its end for ``early_end_ms``: if by then no
call runs, what reopened it was late, and the turn is as over as it was. An end that only the log
or the status file told is presumed: what comes later than late news may be shows that it was none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, assert_never, final

import msgspec
from msgspec import Struct

from gapless.actors import calls as calling
from gapless.actors.calls import NO_CALLS, Calls
from gapless.actors.step import Send, ToDrain
from gapless.messages.drain import TurnOver
from gapless.messages.inputs import CronRow, StatusWord
from gapless.messages.inputs.turn import TurnEnding
from gapless.messages.moment import Moment
from gapless.typings.evidence import Evidence
from gapless.typings.ids import CallDigest, PromptId
from gapless.typings.lead import LeadTurnState, NeverSeen, TurnClosed, TurnOpen
from gapless.typings.settings import Settings
from gapless.typings.states import AtBoundary, Completed, Failed, Interrupted, TurnOutcome


@final
class LoggedEnd(Struct, frozen=True, kw_only=True, gc=False):
    """An end that the log told, until the harness's own stop had its time to come."""

    by: Evidence
    outcome: TurnEnding


@final
class Told(Struct, frozen=True, kw_only=True):
    """What the log and the status file said of the lead's turn. All times are session time.

    ``word`` is the file's last, ``changed_ms`` its stamp, ``busy_ms`` when it last said that
    something goes on, ``asked_ms`` since when it says that a person is asked. ``vouches``: nothing
    but the file says that the turn is open, or over.
    ``joined_ms``: a prompt came while the turn before it may have just been cut short, so what
    tells of that may still come; ``early_ms``: what told of an interrupt came before the prompt
    of any turn. The lead looks again at ``end``, and when the file's word opens or ends the turn.
    """

    word: StatusWord | None = None
    changed_ms: int | None = None
    busy_ms: int | None = None
    asked_ms: int | None = None
    vouches: bool = False
    joined_ms: int | None = None
    early_ms: int | None = None
    end: LoggedEnd | None = None
    opens_ms: int | None = None
    closes_ms: int | None = None

    def of_file(self) -> Told:
        """Return what is left of this at the end of a turn: what the file said."""
        return Told(
            word=self.word,
            changed_ms=self.changed_ms,
            busy_ms=self.busy_ms,
            asked_ms=self.asked_ms,
        )


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
    told: Told = Told()
    bodies: Mapping[CallDigest, int] = {}


class Turned(NamedTuple):
    """The lead after something, and what the drain is to hear of it."""

    state: LeadState
    sends: tuple[Send, ...] = ()


def is_late(turn: LeadTurnState, moment: Moment, settings: Settings) -> bool:
    """Whether what comes now may be late news of a turn that is over."""
    if not isinstance(turn, TurnClosed):
        return False
    return moment.by.at_ms - turn.by.at_ms <= settings.early_end_ms


def is_deaf(turn: LeadTurnState, moment: Moment, settings: Settings) -> bool:
    """Whether a call or an ask that comes now says nothing of the turn: it was cut short."""
    if not isinstance(turn, TurnClosed) or not isinstance(turn.outcome, Interrupted):
        return False
    return not turn.presumed or is_late(turn, moment, settings)


def reopen(
    state: LeadState, moment: Moment, prompt: PromptId | None, settings: Settings
) -> LeadState:
    """Open the turn for a call or an ask of the turn of ``prompt``, which shows it open."""
    turn = state.turn
    news = prompt is not None and prompt not in state.finished
    match turn:
        case TurnOpen():
            if news and turn.was is not None:
                turn = msgspec.structs.replace(turn, was=None)
            if not state.hosted and turn is state.turn:
                return state
            return msgspec.structs.replace(state, turn=turn, hosted=False)
        case NeverSeen():
            opened = TurnOpen(by=moment.by)
        case TurnClosed(outcome=outcome):
            ended = isinstance(outcome, Completed | Failed) and not news
            was = turn if ended and is_late(turn, moment, settings) else None
            opened = TurnOpen(by=moment.by, resumed=True, was=was)
        case _:
            assert_never(turn)
    told = msgspec.structs.replace(state.told, vouches=False, opens_ms=None)
    return msgspec.structs.replace(state, turn=opened, hosted=False, told=told)


def close(
    state: LeadState, moment: Moment, end: TurnClosed, limit: int, *prompts: PromptId | None
) -> Turned:
    """End the turn; if it is over, with the better of two ends."""
    turn = state.turn
    sends: tuple[Send, ...] = ()
    if isinstance(turn, TurnOpen):
        prompts = (*turn.prompts, *prompts)
        sends = (ToDrain(TurnOver(moment=moment)),)
    before = turn.was if isinstance(turn, TurnOpen) else turn
    if isinstance(before, TurnClosed) and not _is_better(end, before):
        end = before
    state = msgspec.structs.replace(
        state,
        turn=end,
        hosted=False,
        calls=calling.turn_over(state.calls, limit),
        finished=finish(state.finished, prompts, limit),
        told=state.told.of_file(),
    )
    return Turned(state, sends)


def _is_better(end: TurnClosed, than: TurnClosed) -> bool:
    """Order repeated ends of one turn: the same wins in whatever order they come."""
    known = (_rank(end.outcome), not end.presumed, not end.unheard)
    return known > (_rank(than.outcome), not than.presumed, not than.unheard)


def _rank(outcome: TurnOutcome) -> int:
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


def settle_late_news(state: LeadState, moment: Moment, settings: Settings) -> Turned:
    """Take back the reopening of a turn if what reopened it was late; else it stands by now."""
    turn = state.turn
    if not isinstance(turn, TurnOpen) or turn.was is None:
        return Turned(state)
    if moment.by.at_ms - turn.was.by.at_ms < settings.early_end_ms:
        return Turned(state)
    if state.calls.open:
        stands = msgspec.structs.replace(turn, was=None)
        return Turned(msgspec.structs.replace(state, turn=stands))
    return close(state, moment, turn.was, settings.remembered)


def finish(
    finished: tuple[PromptId, ...], prompts: tuple[PromptId | None, ...], limit: int
) -> tuple[PromptId, ...]:
    """Remember that the turns of these prompts are over."""
    new = tuple(dict.fromkeys(it for it in prompts if it is not None and it not in finished))
    return (*finished, *new)[-limit:] if new else finished
