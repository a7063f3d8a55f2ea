"""Counting the schedules of a graph without walking them one by one."""

from __future__ import annotations

from typing import final


@final
class Graph:
    """States by number, each with the states that its steps lead to."""

    def __init__(self) -> None:
        self._starts: list[int] = [0]
        self._targets: list[int] = []

    @property
    def edges(self) -> int:
        """How many steps there are, counted in every state in which they can be taken."""
        return len(self._targets)

    def add(self, targets: list[int]) -> None:
        """Say where the steps of the next state lead."""
        self._targets.extend(targets)
        self._starts.append(len(self._targets))

    def after(self, state: int) -> list[int]:
        """Return where the steps of a state lead."""
        return self._targets[self._starts[state] : self._starts[state + 1]]

    def interleavings(self) -> int | None:
        """Return how many ways lead from state 0 to an end; ``None`` if some go round for ever."""
        states = len(self._starts) - 1
        waiting = [0] * states
        for target in self._targets:
            waiting[target] += 1
        ways = [0] * states
        ways[0] = 1
        ready, done, total = [] if waiting[0] else [0], 0, 0
        while ready:
            state = ready.pop()
            done += 1
            targets, through = self.after(state), ways[state]
            if not targets:
                total += through
            for target in targets:
                ways[target] += through
                waiting[target] -= 1
                if not waiting[target]:
                    ready.append(target)
        return total if done == states else None
