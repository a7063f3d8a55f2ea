"""What the harness's log and its status file tell of the lead's turn, for what sends no hook.

Esc, a refused permission and a failed request send nothing, so a turn would be open for ever. The
log marks them, and the file says "idle" again. Neither names a turn, and either may be seconds
behind the hooks, or ahead of them; what can go wrong is that the end of one turn is taken for that
of the next, sent at once because it was queued. So:

* an end counts at once in a turn that is older than the delay of what tells it; in a younger one
  the mark of an interrupt counts if the turn before ended properly, and the file's word once it
  has stood for as long as it may be behind, if it said "busy" about then;
* rows of one log, and words of one file, come in order: "busy" takes back an "idle", and after
  "waiting" it says that the person answered, if only one thing was asked;
* an interrupt is presumed at once, but until the stop had its time to come nothing may be closed,
  for a stop lists what runs; any other end waits for the stop as long.

Refused: to wait with every end until it must be true, for a view that says "working" for seconds
after Esc; and to believe a word by its age, for the file is not written while nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from gapless.actors import calls as calling
from gapless.actors.turn import (
    LeadState,
    LoggedEnd,
    Turned,
    close,
    finish,
    is_late,
    settle_late_news,
)
from gapless.messages.inputs import StatusRead, StatusWord, TurnEndLogged
from gapless.messages.moment import Moment
from gapless.typings.lead import LeadTurnState, NeverSeen, TurnClosed, TurnOpen
from gapless.typings.settings import Settings
from gapless.typings.states import AtBoundary, Interrupted

_AT_REST: Final = frozenset({StatusWord.IDLE, StatusWord.SHELL})
_UNDER_WAY: Final = frozenset({StatusWord.BUSY, StatusWord.WAITING})


def log_tells_end(
    state: LeadState, moment: Moment, what: TurnEndLogged, settings: Settings
) -> Turned:
    """Take an end that the log tells."""
    turn, now_ms = state.turn, moment.by.at_ms
    cut_short = isinstance(what.outcome, Interrupted)
    prompts = turn.prompts if isinstance(turn, TurnOpen) else ()
    if what.prompt in state.finished and what.prompt not in prompts:
        return Turned(state)
    if not isinstance(turn, TurnOpen):
        if not cut_short or _is_cut_short(turn):
            return Turned(state)
        return Turned(_with(state, early_ms=now_ms))
    if what.prompt is None:
        young = now_ms - turn.by.at_ms <= settings.status_lag_ms
        joined_ms = state.told.joined_ms
        joined = joined_ms is not None and now_ms - joined_ms <= settings.status_lag_ms
        if joined or (young and not cut_short):
            return Turned(state)
    elif what.prompt in prompts[:-1]:
        left = tuple(it for it in prompts if it != what.prompt)
        finished = finish(state.finished, (what.prompt,), settings.remembered)
        turn = msgspec.structs.replace(turn, prompts=left)
        return Turned(msgspec.structs.replace(state, turn=turn, finished=finished))
    if cut_short:
        return _cut_short(state, moment, settings)
    return Turned(_with(state, end=LoggedEnd(by=moment.by, outcome=what.outcome)))


def _is_cut_short(turn: LeadTurnState) -> bool:
    return isinstance(turn, TurnClosed) and isinstance(turn.outcome, Interrupted)


def status_tells(state: LeadState, moment: Moment, what: StatusRead, settings: Settings) -> Turned:
    """Take a word of the status file."""
    told, now_ms = state.told, moment.by.at_ms
    if told.changed_ms is not None and what.changed_ms is not None:
        older_ms = told.changed_ms - what.changed_ms
        if 0 <= older_ms <= settings.status_lag_ms:  # older still: their clock was set back
            return Turned(state)
    again = what.word is told.word  # then what it is waited for is waited for already
    if what.word is StatusWord.BUSY and told.asked_ms is not None and not moment.others_ask:
        answered = calling.answer_only(state.calls, told.asked_ms, settings.remembered)
        state = msgspec.structs.replace(state, calls=answered)
    asked_ms = (told.asked_ms if again else now_ms) if what.word is StatusWord.WAITING else None
    told = msgspec.structs.replace(
        told,
        word=what.word,
        asked_ms=asked_ms,
        changed_ms=what.changed_ms,
        busy_ms=now_ms if what.word in _UNDER_WAY else told.busy_ms,
        opens_ms=told.opens_ms if again else None,
        closes_ms=told.closes_ms if again else None,
    )
    state = msgspec.structs.replace(state, told=told)
    match what.word:
        case StatusWord.BUSY | StatusWord.WAITING:
            return Turned(_under_way(state, moment, what.word, settings))
        case StatusWord.IDLE | StatusWord.SHELL:
            return _at_rest(state, moment, settings)
        case StatusWord.UNKNOWN:
            alone = isinstance(state.turn, TurnOpen) or state.begun_ms is None
            if told.vouches and alone:
                return Turned(_unseen(state))
            return Turned(state)
        case _:
            assert_never(what.word)


def _under_way(state: LeadState, moment: Moment, word: StatusWord, settings: Settings) -> LeadState:
    turn, told = state.turn, state.told
    match turn:
        case TurnOpen():
            return state
        case NeverSeen():
            return _opened(state, moment)
        case TurnClosed():
            if told.vouches:
                return _opened(state, moment)
            deaf = isinstance(turn.outcome, Interrupted) and not turn.presumed
            if deaf or word is StatusWord.WAITING or told.opens_ms is not None:
                return state
            return _with(state, opens_ms=moment.by.at_ms + settings.status_lag_ms)
        case _:
            assert_never(turn)


def _at_rest(state: LeadState, moment: Moment, settings: Settings) -> Turned:
    turn, now_ms = state.turn, moment.by.at_ms
    match turn:
        case TurnOpen():
            begun_ms = _begun_ms(state, turn)
            if now_ms - begun_ms > settings.status_lag_ms:
                return _presume_interrupt(state, moment, settings)
            return Turned(_soon_over(state, begun_ms, settings))
        case NeverSeen():
            idle = TurnClosed(by=moment.by, outcome=AtBoundary(), presumed=True, unheard=True)
            return Turned(_with(msgspec.structs.replace(state, turn=idle), vouches=True))
        case TurnClosed():
            return Turned(state)
        case _:
            assert_never(turn)


def _begun_ms(state: LeadState, turn: TurnOpen) -> int:
    joined_ms = state.told.joined_ms
    return turn.by.at_ms if joined_ms is None else max(turn.by.at_ms, joined_ms)


def prompt_came(state: LeadState, moment: Moment, before: LeadState, settings: Settings) -> Turned:
    """Look at what was told already, once a prompt of a person opened or joined a turn.

    ``state`` has the turn with the prompt, ``before`` is the lead before it came.
    """
    state = prompt_joined(state, moment, before, settings)
    early_ms = before.told.early_ms
    early = early_ms is not None and moment.by.at_ms - early_ms <= settings.early_end_ms
    if early and state.told.joined_ms is None:
        return _cut_short(state, moment, settings)
    return Turned(state)


def prompt_joined(
    state: LeadState, moment: Moment, before: LeadState, settings: Settings
) -> LeadState:
    """Look at what may yet be told of the turn before, once a prompt opened or joined a turn."""
    now_ms, told, was = moment.by.at_ms, before.told, before.turn
    cut = is_late(was, moment, settings) and _is_cut_short(was)
    joined = cut or (isinstance(was, TurnOpen) and not told.vouches)
    after = msgspec.structs.replace(told.of_file(), joined_ms=now_ms if joined else None)
    state = msgspec.structs.replace(state, told=after)
    return _soon_over(state, now_ms, settings) if told.word in _AT_REST else state


def resumed(state: LeadState, before: LeadState, moment: Moment, settings: Settings) -> LeadState:
    """Look at the file's word once a call or an ask opened the turn: is it late news?"""
    opened = isinstance(state.turn, TurnOpen) and not isinstance(before.turn, TurnOpen)
    if not opened or state.told.word not in _AT_REST:
        return state
    return _soon_over(state, moment.by.at_ms, settings)


def _soon_over(state: LeadState, begun_ms: int, settings: Settings) -> LeadState:
    """Believe that the turn is over once the file's word is too old for the turn before."""
    busy_ms, turn = state.told.busy_ms, state.turn
    resumed = isinstance(turn, TurnOpen) and turn.resumed
    if busy_ms is None or (busy_ms < begun_ms - settings.status_lag_ms and not resumed):
        return state
    return _with(state, closes_ms=begun_ms + settings.status_lag_ms)


def _presume_interrupt(state: LeadState, moment: Moment, settings: Settings) -> Turned:
    state, sends = _cut_short(state, moment, settings, unheard=True)
    return Turned(_with(state, vouches=True), sends)


def _cut_short(
    state: LeadState, moment: Moment, settings: Settings, *, unheard: bool = False
) -> Turned:
    unheard = unheard or state.begun_ms is None  # no hook was heard: nobody lists what runs
    end = TurnClosed(by=moment.by, outcome=Interrupted(), presumed=True, unheard=unheard)
    return close(state, moment, end, settings.remembered)


def _opened(state: LeadState, moment: Moment) -> LeadState:
    told = msgspec.structs.replace(state.told, vouches=True, opens_ms=None)
    opened = TurnOpen(by=moment.by, resumed=isinstance(state.turn, TurnClosed))
    return msgspec.structs.replace(state, turn=opened, told=told)


def _unseen(state: LeadState) -> LeadState:
    return msgspec.structs.replace(state, turn=NeverSeen(), told=state.told.of_file())


def time_passed(state: LeadState, moment: Moment, settings: Settings) -> Turned:
    """Look again at all that was to be looked at again by now."""
    now_ms = moment.by.at_ms
    state, sends = settle_late_news(state, moment, settings)
    if sends:
        return Turned(state, sends)
    turn, told = state.turn, state.told
    match turn:
        case TurnOpen():
            if told.end is not None and now_ms - told.end.by.at_ms >= settings.early_end_ms:
                end = TurnClosed(by=moment.by, outcome=told.end.outcome, presumed=True)
                return close(state, moment, end, settings.remembered)
            if told.closes_ms is not None and now_ms >= told.closes_ms:
                return _presume_interrupt(state, moment, settings)
        case TurnClosed():
            heard_by_ms = turn.by.at_ms + settings.early_end_ms
            if _may_be_heard(state, turn) and now_ms >= heard_by_ms:
                turn = msgspec.structs.replace(turn, unheard=False)
                state = msgspec.structs.replace(state, turn=turn)
            return Turned(_open_if_due(state, moment))
        case NeverSeen():
            return Turned(_open_if_due(state, moment))
        case _:
            assert_never(turn)
    return Turned(state)


def _may_be_heard(state: LeadState, turn: TurnClosed) -> bool:
    """Whether the stop of this turn is waited for; a session without hooks sends none."""
    return turn.unheard and state.begun_ms is not None


def _open_if_due(state: LeadState, moment: Moment) -> LeadState:
    opens_ms = state.told.opens_ms
    if opens_ms is None or moment.by.at_ms < opens_ms:
        return state
    if moment.children:  # they are what the file means
        return _with(state, opens_ms=None)
    return _opened(state, moment)


def due_ms(state: LeadState, settings: Settings) -> int | None:
    """Return when the lead is to look again, if nothing happens until then."""
    return min(_due(state, settings), default=None)


def _due(state: LeadState, settings: Settings) -> Iterable[int]:
    turn, told = state.turn, state.told
    if isinstance(turn, TurnOpen) and turn.was is not None:
        yield turn.was.by.at_ms + settings.early_end_ms
    if told.end is not None:
        yield told.end.by.at_ms + settings.early_end_ms
    if isinstance(turn, TurnClosed) and _may_be_heard(state, turn):
        yield turn.by.at_ms + settings.early_end_ms
    yield from (it for it in (told.opens_ms, told.closes_ms) if it is not None)


def _with(state: LeadState, **told: object) -> LeadState:
    """Return the state with these things told."""
    return msgspec.structs.replace(state, told=msgspec.structs.replace(state.told, **told))
