"""What all tests of the heart need: a quiet log, two processes, and a place for figures."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let faults that a test causes not be logged, each with its traceback."""
    log = logging.getLogger("pykka")
    usual = log.level
    log.setLevel(logging.CRITICAL + 1)
    yield
    log.setLevel(usual)


def _begin() -> None:
    """Log nothing of the faults that are caused, and look for no cycles: walks make none."""
    logging.disable(logging.CRITICAL)
    gc.disable()


@pytest.fixture(scope="session")
def pool() -> Iterator[ProcessPoolExecutor]:
    """Two processes for what takes minutes."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=_begin) as executor:
        yield executor


@pytest.fixture
def figures(pytestconfig: pytest.Config) -> list[str]:
    """Lines to be shown when all is over."""
    return pytestconfig.stash.setdefault(FIGURES, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show how large what was explored is."""
    none: list[str] = []
    lines = config.stash.get(FIGURES, none)
    if lines:
        terminalreporter.section("explored")
        terminalreporter.write_line("\n".join(lines))
