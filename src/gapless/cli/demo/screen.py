"""Where the demonstration is seen: a table that is drawn anew, lines, or rows of JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol, final

import click
import msgspec

from gapless.cli.timeline import Spell, print_spells
from gapless.cli.words import Told, cut, told, width_of_terminal
from gapless.typings.view import SessionView

HIDE, SHOW, CLEAR, UP = "\x1b[?25l", "\x1b[?25h", "\x1b[K", "\x1b[{}A"
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


class Screen(Protocol):
    """Shows views, and what is done about them."""

    def note(self, text: str) -> None:
        """Say what a person or the host does."""
        ...

    def view(self, at_s: float, view: SessionView, command: Callable[[str], str]) -> None:
        """Show a view; ``command`` tells what a shell runs."""
        ...

    def summary(self, spells: tuple[Spell, ...]) -> None:
        """Show what held the session, and why, from its beginning to its end."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


@final
class Table:
    """A table at the bottom of a terminal; what was said scrolls away above it."""

    def __init__(self) -> None:
        self._drawn: list[str] = []
        sys.stdout.write(HIDE)

    def note(self, text: str) -> None:
        """Let a line stand above the table."""
        self._draw(self._drawn, above=f"  {cut(text, width_of_terminal() - 2)}")

    def view(self, at_s: float, view: SessionView, command: Callable[[str], str]) -> None:
        """Draw the table anew."""
        width, it = width_of_terminal(), told(view)
        rule = "─" * (width - 1)
        lines = [rule, f"{BOLD}{cut(f'{at_s:5.1f} s   {it.state}', width - 1)}{PLAIN}"]
        lines.append(cut(f"close?    {it.close}", width - 1))
        for name, does in it.tasks:
            runs = command(name)
            lines.append(cut(f"  {name:<7} {does:<42} {runs}", width - 1))
        self._draw([*lines, rule])

    def summary(self, spells: tuple[Spell, ...]) -> None:
        """Print the timeline below."""
        self.close()
        print_spells(spells, width_of_terminal())

    def close(self) -> None:
        """Leave the table where it is, and show the cursor."""
        sys.stdout.write(SHOW)
        sys.stdout.flush()
        self._drawn = []

    def _draw(self, lines: list[str], above: str | None = None) -> None:
        back = UP.format(len(self._drawn)) if self._drawn else ""
        said = [above] if above is not None else []
        rest = len(self._drawn) - len(lines) - len(said)
        text = "".join(f"{line}{CLEAR}\n" for line in (*said, *lines))
        blank = f"{CLEAR}\n" * max(0, rest)
        up = UP.format(rest) if rest > 0 else ""
        sys.stdout.write(f"{back}{text}{blank}{up}")
        sys.stdout.flush()
        self._drawn = lines


@final
class Lines:
    """Plain lines, one for each view that says something else than the one before."""

    def __init__(self) -> None:
        self._before: Told | None = None

    def note(self, text: str) -> None:
        """Print what is done."""
        click.echo(f"           {text}")

    def view(self, at_s: float, view: SessionView, command: Callable[[str], str]) -> None:
        """Print a view, if it says something new."""
        it = told(view)
        before, self._before = self._before, it
        if before is None or (it.state, it.close) != (before.state, before.close):
            click.echo(f"{at_s:5.1f} s   {it.state}; close: {it.close}")
        for name, does in it.tasks:
            if before is None or (name, does) not in before.tasks:
                runs = command(name)
                click.echo(f"{at_s:5.1f} s     {name} {does}{runs and f': {runs}'}")

    def summary(self, spells: tuple[Spell, ...]) -> None:
        """Print the timeline."""
        print_spells(spells, 100)

    def close(self) -> None:
        """Do nothing: lines stay."""


@final
class Rows:
    """Each view as a line of JSON, as it is: for programs."""

    def note(self, text: str) -> None:
        """Print it to where it disturbs no program."""
        click.echo(text, err=True)

    def view(self, at_s: float, view: SessionView, command: Callable[[str], str]) -> None:
        """Print a view."""
        del at_s, command
        click.echo(msgspec.json.encode(view).decode())

    def summary(self, spells: tuple[Spell, ...]) -> None:
        """Print nothing: it is all in the views."""

    def close(self) -> None:
        """Do nothing: lines stay."""
