"""Every story told in these tests is also told to the oracle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gapless.testing import Story
from gapless.testing.model import model
from gapless.typings.evidence import Provenance


@pytest.fixture
def story() -> Iterator[Story]:
    """A story to tell; once it is told, fold and oracle must have read it alike throughout."""
    told = Story()
    yield told
    live = all(row.provenance is Provenance.LIVE for row in told.rows)
    if live and not any(row.lost for row in told.rows):  # all the oracle knows
        assert told.readings == model(told.rows, told.settings)
