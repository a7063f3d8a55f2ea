"""Run every benchmark: ``python -m bench [--rounds N] [--quick] [--only NAME]``."""

from __future__ import annotations

import argparse

from bench import fold, heart, replays, runtime, shells


def main() -> None:
    """Run them one after the other."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each contest")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parts = ("fold", "runtime", "heart", "shells", "replays")
    parser.add_argument("--only", choices=parts, help="one of them alone")
    chosen = parser.parse_args()
    if chosen.only in {None, "fold"}:
        fold.main(chosen.rounds)
    if chosen.only in {None, "runtime"}:
        runtime.main(chosen.rounds, quick=chosen.quick)
    if chosen.only in {None, "heart"}:
        heart.main(chosen.rounds, quick=chosen.quick)
    if chosen.only in {None, "shells"}:
        shells.main(chosen.rounds, quick=chosen.quick)
    if chosen.only in {None, "replays"}:
        replays.main(chosen.rounds, quick=chosen.quick)


if __name__ == "__main__":
    main()
