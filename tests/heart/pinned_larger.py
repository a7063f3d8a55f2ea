"""How large the larger walks are: by scenario, fault, and how often that may happen."""

from __future__ import annotations

from typing import Final

LARGER_PINNED: Final[dict[tuple[str, str, int], tuple[int, int, int, int | None, int]]] = {}
