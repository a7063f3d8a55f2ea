"""What every test runs under."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The same commit tries the same examples, so that what fails is what was changed; `fuzz`
# tries new ones each time, and many more.
settings.register_profile("gapless", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("fuzz", deadline=None, print_blob=True, max_examples=10_000)
settings.load_profile(os.environ.get("GAPLESS_HYPOTHESIS", "gapless"))

# Who runs this in the background may ignore interrupts, and tests interrupt themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)

FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session", autouse=True)
def no_second_copy() -> Iterator[None]:
    """Fail if anything imported a link at the root: its classes would not be those of gapless."""
    yield
    copies = {"actors", "messages", "typings"} & sys.modules.keys()
    assert not copies, "import these from gapless instead"


@pytest.fixture
def figures(pytestconfig: pytest.Config) -> list[str]:
    """Lines to be shown when all is over."""
    return pytestconfig.stash.setdefault(FIGURES, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show how large what was explored is, and how much was read."""
    none: list[str] = []
    lines = config.stash.get(FIGURES, none)
    if lines:
        terminalreporter.section("explored")
        terminalreporter.write_line("\n".join(lines))
