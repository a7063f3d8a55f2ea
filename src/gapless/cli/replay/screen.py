"""Where a replay is seen: a table, rows of JSON, differences alone, or a timeline."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, final

import click
import msgspec

from gapless.cli.replay.files import Played
from gapless.cli.timeline import Timeline, print_spells
from gapless.cli.words import claim_in_words, cut, say, state_in_words, width_of_terminal
from gapless.recordings import members


class Screen(ABC):
    """Shows the lines of a recording as they are played."""

    def __init__(self) -> None:
        self._file = ""

    def begin(self, file: str, about: str) -> None:  # noqa: ARG002 - for those who say it
        """Note which recording comes, or say so."""
        self._file = file

    @abstractmethod
    def line(self, played: Played) -> None:
        """Show a line."""

    def close(self) -> None:  # noqa: B027 - most keep nothing
        """Show what is left to be shown; nothing, unless somebody kept it."""


def print_headline(file: str, about: str) -> None:
    """Say which recording comes."""
    click.echo()
    say(f"{file}{about and f': {about}'}")


@final
class Table(Screen):
    """A row a line, as wide as the terminal."""

    def __init__(self, *, because: bool) -> None:
        super().__init__()
        self._because = because
        self._sessions: set[str] = set()

    def begin(self, file: str, about: str) -> None:
        """Print its name, and what the columns are."""
        print_headline(file, about)
        self._print(("line", "seconds", "event", "state", "close", "lead", "edges", "holds"))

    def line(self, played: Played) -> None:
        """Print a line."""
        it = played.answered
        event = it.said or "(time passes)"
        answer = it.answer
        at = f"{it.at_ms / 1000:.3f}"
        number = str(played.number)
        if it.session is not None:
            self._sessions.add(it.session)
        if len(self._sessions) > 1 and it.session is not None:
            event = f"{it.session}: {event}"
        if answer is None:
            self._print((number, at, event, "", "", "", "", ""))
        else:
            because = ",".join((*answer.reasons, *answer.lingering))
            state = f"{answer.state} {because}".rstrip()
            holds = " ".join(f"{category}:{name}" for category, name in answer.holds)
            edges = " ".join(it.edges)
            self._print((number, at, event, state, answer.close, answer.lead, edges, holds))
        for trouble in it.trouble:
            say(f"      ? {trouble}")
        if self._because:
            for claim in it.because:
                say(cut(f"      {claim_in_words(claim)}", width_of_terminal() - 1))

    @staticmethod
    def _print(cells: tuple[str, ...]) -> None:
        left = width_of_terminal() - 1
        shown: list[str] = []
        for cell, width in zip(cells, WIDTHS, strict=True):
            if left < width and shown:
                break
            shown.append(f"{cut(cell, width):<{width}}")
            left -= width + 1
        say(" ".join(shown).rstrip())


WIDTHS: Final = (5, 9, 18, 29, 12, 11, 18, 36)
"""How wide each column is; those at the end are left out where the terminal is narrower."""


@final
class Rows(Screen):
    """A line of JSON a line."""

    def line(self, played: Played) -> None:
        """Print a line."""
        it = played.answered
        row = {
            "file": self._file,
            "line": played.number,
            "at_ms": it.at_ms,
            "session": it.session,
            "said": it.said,
            **members(it.answer, it.edges),
            "upto": it.upto,
            "trouble": it.trouble,
            "because": it.because,
        }
        click.echo(_json(row))


@final
class Differences(Screen):
    """Only what is not as expected, with the evidence behind what is."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.found: int = 0
        self._as_json = as_json

    def line(self, played: Played) -> None:
        """Print what is not as expected."""
        it = played.answered
        self.found += len(it.differences) + len(it.trouble)
        if self._as_json:
            self._print_json(played)
            return
        where = f"{self._file}:{played.number}"
        for trouble in it.trouble:
            say(f"{where}: not understood: {trouble}")
        for one in it.differences:
            expected, actual = (_json(value) for value in (one.expected, one.actual))
            say(f"{where}: {one.member}: expected {expected}, is {actual}")
        for claim in it.because if it.differences else ():
            say(f"      {claim_in_words(claim)}")

    def _print_json(self, played: Played) -> None:
        it = played.answered
        if it.differences or it.trouble:
            row = {
                "file": self._file,
                "line": played.number,
                "differences": it.differences,
                "trouble": it.trouble,
                "because": it.because,
            }
            click.echo(_json(row))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@final
class Spans(Screen):
    """How long each session was in each state, what held it then, and why."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[str, Timeline] = {}
        self._ends_s = 0.0

    def begin(self, file: str, about: str) -> None:
        """Print the timelines of the file before, and which one comes."""
        self.close()
        print_headline(file, about)

    def line(self, played: Played) -> None:
        """Note a line."""
        it = played.answered
        self._ends_s = it.at_ms / 1000
        if it.session is not None and it.answer is not None:
            line = self._lines.setdefault(it.session, Timeline())
            line.add(self._ends_s, state_in_words(it.answer), it.answer.holds, it.because)
        for trouble in it.trouble:
            click.echo(f"  line {played.number} was not understood: {trouble}", err=True)

    def close(self) -> None:
        """Print the timelines."""
        for session, line in self._lines.items():
            if len(self._lines) > 1:
                click.echo()
                say(f"session {session}")
            print_spells(line.spells(self._ends_s), width_of_terminal())
        self._lines.clear()
