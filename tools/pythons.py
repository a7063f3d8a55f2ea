"""Run the tests or the benchmarks on the supported Pythons that this machine has.

Benchmarks run on every one of them; tests on every one but that of .venv, which has `make test`.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
CLASSIFIER = "Programming Language :: Python :: 3."
ACTIONS = {
    # tests/types asks the type checkers, which are installed for the main Python alone, and
    # tests/mutants asks whether the tests notice, which is the same on every Python.
    "test": ["-m", "pytest", "--ignore=tests/types", "--ignore=tests/mutants"],
    "bench": ["-m", "bench"],
}
# A Python without ensurepip cannot make an environment, and without one it is of no use here.
PROBE = "import ensurepip, sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"


def supported() -> list[str]:
    """Read from the classifiers which Pythons the project promises to run on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [c.rpartition(" ")[2] for c in project["classifiers"] if c.startswith(CLASSIFIER)]


def candidates(wanted: str) -> Iterator[str]:
    """List the interpreters that may be of that version: those on the PATH, then those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in [*os.get_exec_path(), *map(str, (pyenv / "versions").glob("*/bin"))]:
        if path := shutil.which(f"python{wanted}", path=folder):
            yield path


def find(wanted: str) -> str | None:
    """Find a CPython of that version which works: a pyenv shim may be there and lead nowhere."""
    for path in candidates(wanted):
        answer = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
        if answer.stdout.split() == ["cpython", wanted]:
            return path
    return None


def prepare(wanted: str, python: str) -> str | None:
    """Make the environment for one interpreter, and answer the interpreter inside it."""
    environment = f".venv-{wanted}"
    lock = "requirements/bench.txt"
    command = [python, "tools/environment.py", environment, lock, "--editable"]
    made = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    return f"{environment}/bin/python" if made else None


def describe_machine() -> None:
    """Print what a number means nothing without."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("msgspec", "pykka", "returns"))
    print(f"machine    {platform.platform()}, {os.cpu_count()} cores, {processor()}")
    print(f"gapless    {version('gapless')} on {libraries}")


def processor() -> str:
    """Name the processor, as far as the system does."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def interpreters() -> dict[str, str | None]:
    """Find the other Pythons, say which are here, and make an environment for each of those."""
    found = {wanted: find(wanted) for wanted in supported() if wanted != RUNNING}
    for wanted, python in found.items():
        print(f"Python {wanted}: {python or 'not on this machine, so nothing runs'}", flush=True)
    here = {wanted: python for wanted, python in found.items() if python}
    with ThreadPoolExecutor() as pool:
        return dict(zip(here, pool.map(prepare, here, here.values()), strict=True))


def run(wanted: str, command: Sequence[str]) -> bool:
    """Run one command under a heading, and answer whether it went well."""
    print(f"\n== Python {wanted}", flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> None:
    """Run one action on each Python in turn, and fail if it failed on any."""
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=ACTIONS)
    options, arguments = parser.parse_known_args()
    chosen = interpreters()
    if options.action == "bench":
        describe_machine()
        chosen = {RUNNING: sys.executable, **chosen}
    command = [*ACTIONS[options.action], *arguments]
    failed = [v for v, python in chosen.items() if not python or not run(v, [python, *command])]
    if failed:
        sys.exit(f"{options.action} failed on Python {', '.join(failed)}")


if __name__ == "__main__":
    main()
