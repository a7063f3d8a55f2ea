"""The moves of a scenario: which of them can be made, once some have been."""

from __future__ import annotations

from typing import Final, final

from gapless.testing.explorer.scenario import Move, Scenario
from gapless.testing.explorer.steps import Make


@final
class Moves:
    """Keeps what was made as a bit for each move."""

    def __init__(self, scenario: Scenario) -> None:
        moves = tuple(scenario.moves())
        self._bits: Final = {move.name: 1 << place for place, move in enumerate(moves)}
        self._moves: Final = {move.name: move for move in moves}
        if len(self._moves) != len(moves):
            msg = f"two moves of one name: {[move.name for move in moves]}"
            raise ValueError(msg)
        self._needs: Final = [
            (Make(move=move.name), self._bits[move.name], self._needed(move)) for move in moves
        ]
        made = 0
        while enabled := self.enabled(made):
            made |= sum(self._bits[step.move] for step in enabled)
        if made != (1 << len(moves)) - 1:
            never = [step.move for step, bit, _ in self._needs if not bit & made]
            msg = f"moves that wait for each other: {never}"
            raise ValueError(msg)

    def enabled(self, made: int) -> list[Make]:
        """Return what can be made now."""
        return [
            step for step, bit, needed in self._needs if not made & bit and made & needed == needed
        ]

    def make(self, name: str) -> int:
        """Make a move, and return its bit."""
        self._moves[name].act()
        return self._bits[name]

    def _needed(self, move: Move) -> int:
        unknown = [name for name in move.after if name not in self._bits]
        if unknown:
            msg = f"the move {move.name!r} comes after moves that there are not: {unknown}"
            raise ValueError(msg)
        return sum({self._bits[name] for name in move.after})
