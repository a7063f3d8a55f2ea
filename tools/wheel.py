"""Build the wheel, and test it where there is nothing but the wheel.

What users get is not this folder but a file made from it. So the wheel built here is compared with
the one built from the source distribution, and the tests are run against it far from any source.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
ENVIRONMENT = ROOT / ".venv-wheel"
# tests/tree is about this folder, tests/types asks the type checkers, tests/mutants the tests.
ABOUT_THE_WHEEL = ("--ignore=tests/tree", "--ignore=tests/types", "--ignore=tests/mutants")


class Symbol(TypedDict):
    """One name, as pyright sees it from outside."""

    name: str
    isExported: bool
    isTypeKnown: bool


class Completeness(TypedDict):
    """How much of the public surface has a known type."""

    completenessScore: float
    symbols: list[Symbol]


class Report(TypedDict):
    """What `pyright --verifytypes --outputjson` prints, as far as it is read here."""

    typeCompleteness: Completeness


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command that has to succeed."""
    try:
        subprocess.run(command, cwd=cwd, check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"wheel: {error}")


def build(into: Path, *what: str) -> Path:
    """Build with the pinned backend of this environment, and answer the wheel."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", into, *what, ROOT)
    (wheel,) = into.glob("*.whl")
    return wheel


def contents(wheel: Path) -> dict[str, bytes]:
    """Read every file of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Name the files that are not in both, or not the same."""
    return sorted(name for name in one | other if one.get(name) != other.get(name))


def compare(direct: Path, by_sdist: Path) -> None:
    """Hold the two wheels and the source to be the same files."""
    wheel = contents(direct)
    if unlike := differences(wheel, contents(by_sdist)):
        sys.exit(f"wheel: not the same when built from the sdist: {unlike}")
    package = {name: data for name, data in wheel.items() if ".dist-info/" not in name}
    files = [p for p in (SOURCE / "gapless").rglob("*") if p.is_file() and p.suffix != ".pyc"]
    source = {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in files}
    if unlike := differences(package, source):
        sys.exit(f"wheel: not the files of src: {unlike}")
    print(f"wheel: {len(wheel)} files, the same from the tree and from the sdist", flush=True)


def install(wheel: Path) -> Path:
    """Install the wheel beside its core dependencies and pytest, and answer the interpreter."""
    run(sys.executable, "tools/environment.py", ENVIRONMENT, "requirements/test.txt")
    python = ENVIRONMENT / "bin" / "python"
    pip: Sequence[str | Path] = [python, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", wheel)
    run(*pip, "check")  # what the wheel says it needs is what the lock has
    return python


def test(python: Path, folder: Path) -> None:
    """Run the tests that are about the library, on the library as it was installed."""
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    where = "import gapless, pathlib; print(pathlib.Path(gapless.__file__).resolve().parent)"
    found = subprocess.check_output([python, "-c", where], cwd=folder, text=True)
    installed = Path(found.strip())
    if not installed.is_relative_to(ENVIRONMENT.resolve()) or "site-packages" not in found:
        sys.exit(f"wheel: the tests would import {installed}")
    if not (installed / "py.typed").is_file():
        sys.exit("wheel: py.typed is not in it, so no type checker would believe it")
    run(python, "-m", "pytest", *ABOUT_THE_WHEEL, cwd=folder)


def verify_types(python: Path, folder: Path) -> None:
    """Hold every public name to have a type that a user's checker can know."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--ignoreexternal"]
    answer = subprocess.run(
        [*command, "--verifytypes", "gapless"],
        cwd=folder,
        # Here pyright pays no heed to --pythonpath: it asks the first Python on the PATH.
        env=os.environ | {"PATH": os.pathsep.join([str(python.parent), *os.get_exec_path()])},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    report: Report = json.loads(answer.stdout)
    completeness = report["typeCompleteness"]
    for symbol in completeness["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"]:
            print(f"wheel: the type of {symbol['name']} is not known")
    score = completeness["completenessScore"]
    print(f"wheel: {score:.1%} of the public names have a known type")
    if score < 1:
        sys.exit(1)


def main() -> None:
    """Build, compare, install, test."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        direct = build(folder / "direct", "--wheel")
        compare(direct, build(folder / "by-sdist"))
        away = folder / "away"
        away.mkdir()
        python = install(direct)
        test(python, away)
        verify_types(python, away)


if __name__ == "__main__":
    main()
