"""Every story told in these tests is also told to the oracle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gapless.testing import Story
from gapless.testing.model import model


@pytest.fixture
def story() -> Iterator[Story]:
    """A story to tell; once it is told, fold and oracle must have read it alike throughout."""
    told = Story()
    yield told
    if not any(row.lost or row.void for row in told.rows):  # the oracle knows no faults
        assert told.readings == model(told.rows, told.settings)
