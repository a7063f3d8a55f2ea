"""The dispatchers that every actor test runs on."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pykka
import pytest

from tests.runtime.kit import PATIENCE_S, Host, hosting


@pytest.fixture(params=["hybrid", "loop", "stepped"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    """Each dispatcher; the stepped one is driven by the test's own thread."""
    with hosting(request.param) as running:
        yield running


@pytest.fixture(params=["hybrid", "loop", "pumped"])
def background(request: pytest.FixtureRequest) -> Iterator[Host]:
    """Each dispatcher, running while the test's own thread does something else."""
    with hosting(request.param) as running:
        yield running


@pytest.fixture
def stock() -> Iterator[None]:
    """Stock pykka, whose actors have all ended with their threads when the test is over."""
    before = set(threading.enumerate())
    yield
    pykka.ActorRegistry.stop_all(block=False)
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
