"""Say what can fail in the type, and match it exhaustively.

The alias, not ``returns.result.Result``, is what functions declare: a ``match``
on ``Result`` gives ``Any`` under mypy (dry-python/returns#1361), on this closed
union it is exact in mypy and pyright. Match the outer value first, then what
it holds: nested patterns are exhaustive in neither checker.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from returns.result import Failure, Success

Value = TypeVar("Value")
Error = TypeVar("Error")

Outcome: TypeAlias = Success[Value] | Failure[Error]
"""Either ``Success(value)`` or ``Failure(error)``, and nothing else."""

__all__ = ["Failure", "Outcome", "Success"]
