"""What the command can do, and how it is asked to."""

from __future__ import annotations

import sys

import click

from gapless.cli.demo.host import LeadGoneError, demonstrate
from gapless.cli.demo.screen import Lines, Rows, Table
from gapless.cli.replay.command import replay


@click.group()
@click.version_option(package_name="gapless")
def app() -> None:
    """Tell what coding agents do, whether they may be closed, and whether they are stuck."""


app.add_command(replay)


@app.command()
@click.option("--plain", is_flag=True, help="Print plain lines, also on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print each view as a line of JSON instead.")
@click.option(
    "--pace",
    type=click.FloatRange(min=0.01, max=100),
    default=1.0,
    show_default=True,
    help="How long the story takes: 1 is about 15 seconds, 0.1 a tenth of that.",
)
def demo(*, plain: bool, as_json: bool, pace: float) -> None:
    """Show one session from its first prompt to its close, with real shells and a real lead.

    A scripted lead runs as a process of its own and says what it does, as a coding agent does
    through its hooks. It starts shells that work, finish and fail, and a child; it asks for a
    permission; it is refused to be closed, hears of what ended, and may be closed at last. What
    is printed comes from the views of the runtime. The status is 0 if it was closed.
    """
    table = sys.stdout.isatty() and not plain
    screen = Rows() if as_json else Table() if table else Lines()
    try:
        demonstrate(screen, pace)
    except LeadGoneError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        screen.close()
        sys.exit(130)
