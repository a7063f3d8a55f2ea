"""What every test runs under."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# On a CI machine hypothesis chooses its own "ci" profile: the same examples for the same commit.
settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=10_000)
if profile := os.environ.get("GAPLESS_HYPOTHESIS"):
    settings.load_profile(profile)


@pytest.fixture(scope="session", autouse=True)
def no_second_copy() -> Iterator[None]:
    """Fail if anything imported a link at the root: its classes would not be those of gapless."""
    yield
    copies = {"actors", "messages", "typings"} & sys.modules.keys()
    assert not copies, "import these from gapless instead"
