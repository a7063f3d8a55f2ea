"""Whoever matches a state says what they do with an unknown one."""

from typing import assert_never

from gapless.typings import states


def busy(state: states.SessionState) -> bool:
    match state:
        case states.Working() | states.Waiting():
            return True
        case states.Done() | states.Ended():
            return False
        case states.Unknown():
            return True
        case _:
            assert_never(state)


busy(states.Ended(cause=states.EndCause.CLOSED))
