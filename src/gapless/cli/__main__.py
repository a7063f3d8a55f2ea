"""``python -m gapless.cli``: the command, where it is not on PATH."""

from __future__ import annotations

from gapless.cli import main

main()
