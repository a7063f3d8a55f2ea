"""A state is no word: comparing it with one would always say no."""

from gapless.typings import states


def works(state: states.SessionState) -> bool:
    return isinstance(state, states.Working)


works(states.Working(first=states.LeadTurn()))
