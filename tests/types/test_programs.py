"""What must not be written down is refused by both type checkers, and its neighbour by neither.

A program in ``refused`` makes one mistake. A comment there says what mypy and pyright call it:
``# refused: arg-type, reportArgumentType``. The file of the same name in ``accepted`` is the
nearest program without that mistake. Both are checked as strictly as the project itself.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, NotRequired, TypeAlias, TypedDict

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REFUSED = sorted(HERE.glob("refused/*.py"))
ACCEPTED = sorted(HERE.glob("accepted/*.py"))
CHECKERS = ("mypy", "pyright")

MARK = re.compile(r"  # refused: (?P<mypy>[a-z-]+), (?P<pyright>report\w+)$", re.MULTILINE)
# What would silence a checker instead of satisfying it.
GAG = re.compile(r"# *(type|mypy|pyright) *:|\b(Any|cast|no_type_check|TYPE_CHECKING)\b")
RUN_ALL = "import runpy, sys; [*map(runpy.run_path, sys.argv[1:])]"

pytestmark = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, CHECKERS)),
    reason="mypy and pyright are installed for the main Python alone",
)
each_refused = pytest.mark.parametrize("program", REFUSED, ids=attrgetter("stem"))
each_accepted = pytest.mark.parametrize("program", ACCEPTED, ids=attrgetter("stem"))
both_checkers = pytest.mark.parametrize("checker", CHECKERS)


class Complaint(NamedTuple):
    line: int
    code: str | None
    message: str


Complaints: TypeAlias = Mapping[Path, list[Complaint]]


class MypyLine(TypedDict):
    """One line of `mypy --output=json`, as far as it is read here."""

    file: str
    line: int
    code: str | None
    message: str
    severity: str


class Position(TypedDict):
    line: int


class Range(TypedDict):
    start: Position


class Diagnostic(TypedDict):
    file: str
    message: str
    range: Range
    rule: NotRequired[str]


class Summary(TypedDict):
    filesAnalyzed: int


class PyrightReport(TypedDict):
    """What `pyright --outputjson` prints, as far as it is read here."""

    generalDiagnostics: list[Diagnostic]
    summary: Summary


def start(*command: str | Path) -> subprocess.Popen[str]:
    """Start a checker in the background: each of them keeps one core busy."""
    python = [sys.executable, "-m", *command]
    return subprocess.Popen(python, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def output(checker: subprocess.Popen[str]) -> str:
    """Wait for a checker, which has to have found mistakes and no other trouble."""
    printed, _ = checker.communicate()
    assert checker.returncode == 1, printed
    return printed


def of_mypy(printed: str) -> Iterator[tuple[Path, Complaint]]:
    for text in printed.splitlines():
        line: MypyLine = json.loads(text)
        if line["severity"] == "error":
            yield ROOT / line["file"], Complaint(line["line"], line["code"], line["message"])


def of_pyright(printed: str) -> Iterator[tuple[Path, Complaint]]:
    report: PyrightReport = json.loads(printed)
    assert report["summary"]["filesAnalyzed"] == len([*REFUSED, *ACCEPTED])
    for found in report["generalDiagnostics"]:
        line = found["range"]["start"]["line"] + 1  # it counts from zero
        yield Path(found["file"]), Complaint(line, found.get("rule"), found["message"])


def by_program(complaints: Iterable[tuple[Path, Complaint]]) -> Complaints:
    programs: defaultdict[Path, list[Complaint]] = defaultdict(list)
    for program, complaint in complaints:
        programs[program].append(complaint)
    return programs


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Complaints]:
    """Ask each checker once, about all programs."""
    cache = tmp_path_factory.mktemp("mypy")
    settings = ("--config-file", "pyproject.toml", "--cache-dir", cache)
    project = ("--project", HERE / "pyrightconfig.json", "--pythonpath", sys.executable)
    with (
        start("mypy", "--output=json", *settings, *REFUSED, *ACCEPTED) as mypy,
        start("pyright", "--outputjson", *project) as pyright,
    ):
        return {
            "mypy": by_program(of_mypy(output(mypy))),
            "pyright": by_program(of_pyright(output(pyright))),
        }


def marks(program: Path, checker: str) -> list[tuple[int, str]]:
    """Say at which line this checker is to complain, and how."""
    source = program.read_text()
    return [(source.count("\n", 0, it.start()) + 1, it[checker]) for it in MARK.finditer(source)]


@both_checkers
@each_refused
def test_it_is_refused_for_its_mistake_alone(
    said: Mapping[str, Complaints], checker: str, program: Path
) -> None:
    complaints = said[checker].get(program, [])
    found = [(complaint.line, complaint.code) for complaint in complaints]
    assert found == marks(program, checker), complaints


@both_checkers
@each_accepted
def test_it_is_accepted(said: Mapping[str, Complaints], checker: str, program: Path) -> None:
    assert not said[checker].get(program)


def test_the_accepted_programs_run() -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", RUN_ALL, *ACCEPTED], check=True)


def test_there_are_thirty_pairs_at_least() -> None:
    assert len(REFUSED) >= 30
    assert [program.name for program in REFUSED] == [program.name for program in ACCEPTED]


def test_every_pair_makes_a_claim_of_its_own() -> None:
    claims = [ast.get_docstring(ast.parse(program.read_text())) for program in REFUSED]
    assert None not in claims
    assert len(set(claims)) == len(claims)


@each_refused
def test_it_marks_one_line(program: Path) -> None:
    assert len(marks(program, "mypy")) == program.read_text().count("# refused:") == 1


@each_refused
def test_its_neighbour_differs_in_one_place(program: Path) -> None:
    mine = MARK.sub("", program.read_text()).splitlines()
    other = (HERE / "accepted" / program.name).read_text().splitlines()
    steps = difflib.SequenceMatcher(a=mine, b=other, autojunk=False).get_opcodes()
    assert len([tag for tag, *_ in steps if tag != "equal"]) == 1


def test_no_program_silences_a_checker() -> None:
    assert not [program for program in [*REFUSED, *ACCEPTED] if GAG.search(program.read_text())]
