"""What a walk can come to besides its figures."""

from __future__ import annotations

import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, final

from gapless.testing.explorer.steps import Step


@final
class Violation(AssertionError):  # noqa: N818 - it is the finding, and no error of the explorer
    """A state that a scenario calls wrong; ``schedule`` is a shortest way to it.

    ``replay`` runs that schedule again.
    """

    def __init__(self, scenario: str, reason: str, schedule: tuple[Step, ...]) -> None:
        self.scenario: Final = scenario
        self.reason: Final = reason
        self.schedule: Final = schedule
        steps = [f"{number:>4}. {step}" for number, step in enumerate(schedule, 1)]
        super().__init__("\n".join([f"{scenario}: {reason}", *(steps or ["  at the beginning"])]))

    def __reduce__(self) -> tuple[type[Violation], tuple[str, str, tuple[Step, ...]]]:
        """Let it be sent from one process to another."""
        return Violation, (self.scenario, self.reason, self.schedule)


@final
class TooLarge(RuntimeError):  # noqa: N818 - said of the scenario
    """A scenario has more states than were allowed; ``states`` of them were visited."""

    def __init__(self, scenario: str, states: int, edges: int, depth: int, unknown: str) -> None:
        self.scenario: Final = scenario
        self.states: Final = states
        self.edges: Final = edges
        self.depth: Final = depth
        hint = f"; told apart by identity alone, so never seen again: {unknown}" if unknown else ""
        super().__init__(
            f"{scenario} has more than {states:,} states:"
            f" {edges:,} edges were followed, to depth {depth}{hint}"
        )


@final
class WrongError(Exception):
    """Something was wrong; what it was is ``__cause__``. It never leaves the explorer."""

    def __init__(self, reason: str) -> None:
        self.reason: Final = reason
        super().__init__(reason)


@contextmanager
def judging() -> Generator[None, None, None]:
    """Let whatever a scenario raises mean that it finds something wrong."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # what a test runner fails with need not be an Exception
        raise WrongError(_reason_of(error)) from error


@contextmanager
def numbering(scenario: str) -> Generator[None, None, None]:
    """Say where there is a state that cannot be seen through.

    Raises:
        TypeError: it holds itself, or too much in each other.

    """
    try:
        yield
    except RecursionError:
        msg = f"a state or a message in {scenario} holds itself, or is nested too deep"
        raise TypeError(msg) from None


def _reason_of(error: BaseException) -> str:
    """Say what was raised, also where a bare ``assert`` says nothing."""
    said = str(error)
    if not said:
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{place.line} ({Path(place.filename).name}:{place.lineno})"
    return said if isinstance(error, AssertionError) else f"{type(error).__name__}: {said}"
