"""The dispatchers that every actor test runs on."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pykka
import pytest

from tests.runtime.kit import Host, hosting

GRACE_S = 0.5
"""How long what stock leaves behind is waited for, so that it disturbs no other test."""


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
    """Stock pykka, whose actors are told to stop when the test is over.

    Some do not: a request to stop is an ask, and stock can lose one to an actor that is stopping
    already. Their threads are daemons, and end with the process.
    """
    before = set(threading.enumerate())
    yield
    pykka.ActorRegistry.stop_all(block=False)
    for thread in set(threading.enumerate()) - before:
        thread.join(GRACE_S)
