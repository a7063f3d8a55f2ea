"""What takes minutes is begun ahead of the tests that wait for it, two at a time."""

from __future__ import annotations

from typing import TypeVar

import pytest

Value = TypeVar("Value")


def asked_for(request: pytest.FixtureRequest, name: str, kind: type[Value]) -> list[Value]:
    """Return what the tests of this run are given as the parameter ``name``, in their order."""
    items = [it for it in request.session.items if isinstance(it, pytest.Function)]
    given = [it.callspec.params.get(name) for it in items if hasattr(it, "callspec")]
    return [it for it in given if isinstance(it, kind)]
