"""A state is no word: comparing it with one would always say no."""

from gapless.typings import states


def works(state: states.SessionState) -> bool:
    return state == "working"  # refused: comparison-overlap, reportUnnecessaryComparison


works(states.Working(first=states.LeadTurn()))
