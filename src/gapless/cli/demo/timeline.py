"""The story of a session in spells: how long it was in a state, what held it then, and why."""

from __future__ import annotations

from typing import NamedTuple, final

from gapless.typings.evidence import Evidence
from gapless.typings.holds import hold_key
from gapless.typings.reading import read
from gapless.typings.view import SessionView
from gapless.typings.why import Claim


class Spell(NamedTuple):
    """So long the session did the same, and the same held it."""

    from_s: float
    to_s: float
    state: str
    because: tuple[str, ...]


@final
class Timeline:
    """Joins views that say the same into spells."""

    def __init__(self) -> None:
        self._spells: list[Spell] = []
        self._key: object = None

    def add(self, at_s: float, view: SessionView, claims: tuple[Claim, ...], state: str) -> None:
        """Note a view, with the claims it rests on."""
        holds = tuple(hold_key(hold) for hold in view.holds)
        key = (read(view).state, read(view).reasons, read(view).lingering, holds)
        self._end(at_s)
        if key == self._key:
            return
        self._key = key
        texts = tuple(dict.fromkeys(_words(claim) for claim in claims))
        self._spells.append(Spell(at_s, at_s, state, texts))

    def _end(self, at_s: float) -> None:
        if self._spells:
            self._spells[-1] = self._spells[-1]._replace(to_s=at_s)

    def spells(self, at_s: float) -> tuple[Spell, ...]:
        """Return the spells up to now."""
        self._end(at_s)
        return tuple(self._spells)


def _words(claim: Claim) -> str:
    sources = ", ".join(_source(it) for it in claim.because[:3])
    return f"{claim.text} ({sources})" if sources else claim.text


def _source(evidence: Evidence) -> str:
    return f"{evidence.source.value} {evidence.number}"
