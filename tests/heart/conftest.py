"""What all tests of the heart need."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Let faults that a test causes not be logged, each with its traceback."""
    log = logging.getLogger("pykka")
    usual = log.level
    log.setLevel(logging.CRITICAL + 1)
    yield
    log.setLevel(usual)
