"""The command: which files, how they are shown, and what its status says."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn, final

import click

from gapless.cli.replay.files import BrokenFileError, opened, play
from gapless.cli.replay.screen import Differences, Rows, Screen, Spans, Table
from gapless.recordings import Header, Player
from gapless.typings.settings import Settings

DIFFERS: Final = 1
UNREADABLE: Final = 2
INTERRUPTED: Final = 130
READER_GONE: Final = 141
"""What a shell says of a program that SIGINT or SIGPIPE ended."""


def _a_number(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Refuse what is no number; it is within no bounds, and beyond none."""
    if value is not None and math.isnan(value):
        msg = "nan is no number"
        raise click.BadParameter(msg)
    return value


@final
class Pace:
    """Holds each line back until its time has come; without a speed it holds nothing."""

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self._began_s: float | None = None

    def wait_until(self, at_ms: int) -> None:
        """Wait until that time of the recording; it begins with its first line."""
        if self._speed is None:
            return
        due_s = at_ms / 1000 / self._speed
        if self._began_s is None:
            self._began_s = time.monotonic() - due_s
        time.sleep(max(0.0, self._began_s + due_s - time.monotonic()))


@final
class Progress:
    """Tells a person at a terminal, once a second, how far it has come."""

    def __init__(self) -> None:
        self._lines = 0
        self._due_s = time.monotonic() + 1
        self._shown: bool = False

    def line(self) -> None:
        """Count a line."""
        self._lines += 1
        if self._lines % 256 == 0 and time.monotonic() > self._due_s and sys.stderr.isatty():
            self._due_s = time.monotonic() + 1
            self._shown = True
            click.echo(f"\r{self._lines:,} lines", nl=False, err=True)

    def over(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Compare with what the lines expect; print only that.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON a line.")
@click.option("--timeline", is_flag=True, help="Print how long each session did what, and why.")
@click.option("--turn-over", is_flag=True, help="Announce the end of each turn of the lead too.")
@click.option("--why", "because", is_flag=True, help="Print below each line why it is so.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.001, max=1_000_000),
    callback=_a_number,
    help="Let it happen as fast as it did, or so many times faster. [default: at once]",
)
def replay(  # noqa: PLR0913 - its options
    *,
    files: tuple[str, ...],
    check: bool,
    as_json: bool,
    timeline: bool,
    turn_over: bool,
    because: bool,
    speed: float | None,
) -> None:
    """Let recorded sessions happen again, and print what each was after every line.

    A recording is JSON Lines, one thing that happened a line; - is standard input. Every session
    of it lives with the real actors, on a clock that is the recording's.

    The status is 0, or 1 if --check found a difference or a line that is not understood, or 2 if
    a file cannot be read or nothing can be written; 130 after an interrupt, 141 if the reader of a
    pipe went away.
    """
    if timeline and (check or as_json):
        msg = "--timeline is for people; it goes with neither --check nor --json"
        raise click.UsageError(msg)
    differences = Differences(as_json=as_json) if check else None
    screen: Screen = differences or _screen(as_json=as_json, timeline=timeline, because=because)
    progress = Progress() if check or timeline else None
    count = 0
    try:
        for name in files:
            pace = Pace(speed)
            settings = Settings(tells_turn_over=turn_over)
            player = Player(settings, because=because or timeline)
            count += _show(name, player, screen, progress, pace.wait_until)
        screen.close()
        if progress is not None:
            progress.over()
        if differences is not None:
            files_and_lines = f"{_many(len(files), 'recording')}, {_many(count, 'line')}"
            click.echo(f"{files_and_lines}: {_many(differences.found, 'difference')}", err=as_json)
    except BrokenFileError as error:
        screen.close()
        click.echo(f"gapless replay: {error}", err=True)
        sys.exit(UNREADABLE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # all that reads says so itself
        _leave_unwritten(error)
    finally:
        if progress is not None:
            progress.over()
    if differences is not None and differences.found:
        sys.exit(DIFFERS)


def _leave_unwritten(error: OSError) -> NoReturn:
    """End where nothing more can be written, and write nothing more on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        sys.exit(READER_GONE)
    click.echo(f"gapless replay: cannot write: {error.strerror or error}", err=True)
    sys.exit(UNREADABLE)


def _many(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{f'{count:,}' if count else 'no'} {what}s"


def _screen(*, as_json: bool, timeline: bool, because: bool) -> Screen:
    if timeline:
        return Spans()
    return Rows() if as_json else Table(because=because)


def _show(
    name: str,
    player: Player,
    screen: Screen,
    progress: Progress | None,
    wait_until: Callable[[int], object],
) -> int:
    """Show one recording; return how many lines it has."""
    shown, count, began = name if name != "-" else "standard input", 0, False
    with opened(name) as file:
        for found in play(shown, file, player, wait_until):
            if isinstance(found, Header):
                screen.begin(shown, ": ".join(filter(None, (found.case, found.about))))
                began = True
                continue
            if not began:
                screen.begin(shown, "")
                began = True
            count += 1
            screen.line(found)
            if progress is not None:
                progress.line()
    return count
