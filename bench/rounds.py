"""Time contenders side by side: each once a round, round after round, compared within the round.

A machine that is busy slows a whole round, so the ratios of one round are worth more than any
absolute number: they are paired, and what is printed is their median and their spread. The
processor time of a thing stands beside them, which waiting for a core does not touch.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

Contender = Callable[[], int]
"""Does its work once and returns how many things it did."""


class Row(NamedTuple):
    """One contender's rates (things a second) and its ratios to the first, a number a round."""

    name: str
    rates: Sequence[float]
    ratios: Sequence[float]
    cpu_us: Sequence[float]

    def __str__(self) -> str:
        """Return a line of the table."""
        rate = f"{median(self.rates):>11,.0f} a second {spread(self.rates, ',.0f')}"
        ratio = f"{median(self.ratios):6.2f}x {spread(self.ratios, '.2f')}"
        return f"  {self.name:<34} {rate:<46} {ratio:<25} {median(self.cpu_us):8.2f} us CPU"


def spread(values: Sequence[float], form: str) -> str:
    """Return the least and the most of some values."""
    return f"({min(values):{form}} to {max(values):{form}})"


def compete(contenders: dict[str, Contender], rounds: int) -> list[Row]:
    """Run all contenders ``rounds`` times, and once before that to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    cpu_us: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, contender in contenders.items():
            gc.collect()
            start, started = time.perf_counter(), time.process_time()
            count = contender()
            spent, worked = time.perf_counter() - start, time.process_time() - started
            if number > 0:
                rates[name].append(count / spent)
                cpu_us[name].append(worked / count * 1e6)
    first = next(iter(rates.values()))
    return [
        Row(name, mine, [rate / base for rate, base in zip(mine, first, strict=True)], cpu_us[name])
        for name, mine in rates.items()
    ]
