"""The command ``gapless``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command, or say what it needs that is not installed.

    Raises:
        SystemExit: always, with the status of the command.

    """
    try:
        from gapless.cli.app import app  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("gapless: the command needs click; try: pip install 'gapless[cli]'")
    app()
