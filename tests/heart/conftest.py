"""What all tests of the heart need: a quiet log, and two processes."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let faults that a test causes not be logged, each with its traceback."""
    log = logging.getLogger("gapless")
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
