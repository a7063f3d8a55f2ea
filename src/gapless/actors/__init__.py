"""Who decides: four owners of facts and the session that folds them, each a pure step.

There is no mailbox yet; ``fold`` passes the messages round. The parts of one input go to the
owners it concerns (``routing``), their facts come back and are merged into the ``ledger``,
and ``projection`` reads the view off what was folded.
"""

from __future__ import annotations

from gapless.actors.fold import Advanced, Whole, advance, fold
from gapless.actors.why import why

__all__ = ["Advanced", "Whole", "advance", "fold", "why"]
