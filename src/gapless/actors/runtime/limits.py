"""What keeps a fault of one from becoming everybody's: texts that always come, waits that end."""

from __future__ import annotations

import threading
from typing import Final

LONGEST_S: Final = threading.TIMEOUT_MAX
"""The longest wait a lock can be asked for: some centuries."""


def shown(value: object) -> str:
    """Return ``repr(value)``, also where that raises."""
    try:
        return repr(value)
    except BaseException:  # noqa: BLE001 - the text is for a person; the fault is not ours
        return f"<{type(value).__name__}, which cannot be shown>"


def called(actor: object) -> str:
    """Return the actor's ``label``, or its class's name where that raises or is no text."""
    try:
        label: object = getattr(actor, "label", None)
    except BaseException:  # noqa: BLE001 - the text is for a person; the fault is not ours
        label = None
    return label if isinstance(label, str) else type(actor).__name__


def lock_timeout(seconds: float | None) -> float:
    """Return what a lock's ``acquire`` takes for a wait of ``seconds``; ``None`` is for ever."""
    if seconds is None:
        return -1
    return min(max(0.0, seconds), LONGEST_S)
