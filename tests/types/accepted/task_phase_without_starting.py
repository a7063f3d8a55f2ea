"""Whoever matches the phases of a task hears of one that is not seen to run yet."""

from typing import assert_never

from gapless.typings import phases


def over(phase: phases.TaskPhase) -> bool:
    match phase:
        case phases.Running():
            return False
        case phases.TaskEnded():
            return True
        case phases.Starting():
            return False
        case _:
            assert_never(phase)
