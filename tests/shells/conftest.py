"""A machine for each test, which has to leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.shells.kit import Machine, there


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fail if a descriptor, a thread or a process, a zombie too, is there that was not before."""
    before = there()
    yield
    assert before.nothing_was_added()


@pytest.fixture
def machine(nothing_left: None) -> Iterator[Machine]:  # noqa: ARG001 - it looks afterwards
    made = Machine()
    yield made
    assert made.table.leave("stop") == ()
