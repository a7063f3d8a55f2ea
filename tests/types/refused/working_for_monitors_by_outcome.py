"""A watching monitor is no reason to call a session working, out of an Outcome."""

from gapless.typings import doubts, states
from gapless.typings.outcome import Failure, Outcome, Success


def state(found: Outcome[states.RunningMonitors, doubts.Doubt]) -> states.SessionState:
    match found:
        case Success(reason):
            return states.Working(first=reason)  # refused: arg-type, reportArgumentType
        case Failure(doubt):
            return states.Unknown(first=doubt)


state(Failure(doubts.Unconfirmed()))
