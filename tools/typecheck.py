"""Run mypy and pyright, and hold each of them to having read every file.

A checker that looks in the wrong place has nothing to complain about, so success alone is no proof.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "bench", "examples", "tools")
# Programs that both checkers must refuse; a test asks for each of them by name.
REFUSED = ROOT / "tests" / "types" / "refused"


class Position(TypedDict):
    """A place in a file, counted from zero."""

    line: int


class Range(TypedDict):
    """Where a diagnostic begins; it also says where it ends."""

    start: Position


class Diagnostic(TypedDict):
    """One complaint of pyright."""

    file: str
    message: str
    range: Range


class Summary(TypedDict):
    """How much pyright read."""

    filesAnalyzed: int


class Report(TypedDict):
    """What `pyright --outputjson` prints, as far as it is read here."""

    generalDiagnostics: list[Diagnostic]
    summary: Summary


def start(*command: str) -> subprocess.Popen[str]:
    """Start a checker in the background: each of them keeps one core busy."""
    python = [sys.executable, "-m", *command]
    return subprocess.Popen(python, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def mypy_read(output: str) -> int:
    """Answer how many files mypy found nothing wrong with, after showing what it printed."""
    print(output, end="")
    success = re.search(r"^Success: no issues found in (\d+) source file", output, re.MULTILINE)
    return int(success[1]) if success else 0


def pyright_read(output: str) -> int:
    """Answer how many files pyright found nothing wrong with, after showing its complaints."""
    report: Report = json.loads(output)
    complaints = report["generalDiagnostics"]
    for complaint in complaints:
        line = complaint["range"]["start"]["line"] + 1
        print(f"{complaint['file']}:{line}: {complaint['message']}")
    return 0 if complaints else report["summary"]["filesAnalyzed"]


def main() -> None:
    """Run both checkers side by side and compare what they read with what there is."""
    mypy, pyright = start("mypy"), start("pyright", "--outputjson")
    read = {
        "mypy": mypy_read(mypy.communicate()[0]),
        "pyright": pyright_read(pyright.communicate()[0]),
    }
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    expected = sum(not path.is_relative_to(REFUSED) for path in files)
    for checker, count in read.items():
        print(f"{checker}: {count} of {expected} files read and accepted")
    sys.exit(any(count != expected for count in read.values()))


if __name__ == "__main__":
    main()
