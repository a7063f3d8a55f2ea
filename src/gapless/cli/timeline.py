"""The story of a session in spells: how long it was in a state, what held it then, and why."""

from __future__ import annotations

from typing import NamedTuple, final

import click

from gapless.cli.words import claim_in_words, cut, say
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

    def add(
        self, at_s: float, state: str, holds: tuple[tuple[str, str], ...], claims: tuple[Claim, ...]
    ) -> None:
        """Note what the session does and what holds it, with the claims that rests on."""
        self._end(at_s)
        if (state, holds) == self._key:
            return
        self._key = (state, holds)
        texts = tuple(dict.fromkeys(claim_in_words(it) for it in claims))
        self._spells.append(Spell(at_s, at_s, state, texts))

    def _end(self, at_s: float) -> None:
        if self._spells:
            self._spells[-1] = self._spells[-1]._replace(to_s=at_s)

    def spells(self, at_s: float) -> tuple[Spell, ...]:
        """Return the spells up to now."""
        self._end(at_s)
        return tuple(self._spells)


def print_spells(spells: tuple[Spell, ...], width: int) -> None:
    """Print what the session did, what held it, and why, in lines of at most ``width``."""
    click.echo("\nWhat the session did, what held it, and why: times in seconds, and in brackets")
    click.echo("who said so in which input.\n")
    for spell in spells:
        head = f"{spell.from_s:5.1f} to {spell.to_s:5.1f}   {spell.state}"
        say(cut(head, width - 1))
        for claim in spell.because:
            say(cut(f"{'':17}{claim}", width - 1))
