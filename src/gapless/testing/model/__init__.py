"""The oracle: the whole fold as a naive function of the list of inputs.

It was written from the rules, apart from the fold and by another hand, and shares words with it
but no code: plain attributes that are changed in place, no owners, no messages, no ledger, no
evidence. Where the two differ, one of them misreads a rule. Lost parts it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence

from gapless.messages.recorded import Recorded
from gapless.testing.model._session import Session
from gapless.typings.reading import Reading
from gapless.typings.settings import DEFAULTS, Settings


def model(rows: Sequence[Recorded], settings: Settings = DEFAULTS) -> list[Reading]:
    """Return the reading after each of ``rows``."""
    return list(map(Session(settings).take, rows))


__all__ = ["model"]
