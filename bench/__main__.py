"""Run every benchmark: ``python -m bench [--rounds N]``."""

from __future__ import annotations

import argparse

from bench import fold


def main() -> None:
    """Run them one after the other."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each contest")
    fold.main(parser.parse_args().rounds)


if __name__ == "__main__":
    main()
