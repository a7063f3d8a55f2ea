"""Both kinds of host, with real processes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gapless import Runtime
from tests.hosting.kit import Story, in_threads, on_a_loop


@pytest.fixture(params=["threads", "loop"])
def tell(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    """Tell a story with a runtime of each kind."""
    if request.param == "threads":
        return lambda story: in_threads(story, Runtime.start(grace_s=0.5))
    return lambda story: on_a_loop(story, lambda: Runtime.start(grace_s=0.5))
