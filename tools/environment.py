"""Make the virtual environment that a lock describes, unless it is there already.

Run by the interpreter that the environment is for, before anything is installed: the standard
library is all there is. A stamp is written last of all, so that an environment whose installation
was cut short has none, and is made again from nothing.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def fingerprint(environment: Path, lock: Path, *, editable: bool) -> str:
    """Sum up everything that makes an environment another one, its own path included."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    parts = [sys.version, sys.base_prefix, str(environment), str(editable)]
    parts += [lock.read_text(), str(pyproject["project"]), str(pyproject["build-system"])]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def install(environment: Path, lock: Path, *, editable: bool, held: int) -> None:
    """Fill a new environment with what the lock names, and with this project if it is asked for."""
    python = str(environment / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    # Wheels alone: to build one, pip would fetch tools that no hash here covers.
    locked = [*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", str(lock)]
    project = [*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    commands: list[Sequence[str]] = [
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        locked,
        *([project] if editable else []),
    ]
    for command in commands:
        # The lock file stays held while a child lives, even one that survives this process.
        subprocess.run(command, check=True, pass_fds=[held])


def main() -> None:
    """Make one environment, while nobody else makes the same."""
    parser = argparse.ArgumentParser()
    parser.add_argument("environment", type=Path)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--editable", action="store_true", help="install this project as well")
    options = parser.parse_args()

    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(f"{sys.executable} has no ensurepip: install python3-venv, or set PYTHON=...")

    environment: Path = options.environment.absolute()
    lock: Path = options.lock
    stamp = environment / "stamp"
    with environment.with_name(f"{environment.name}-lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        wanted = fingerprint(environment, lock, editable=options.editable)
        if stamp.exists() and stamp.read_text() == wanted:
            return
        stamp.unlink(missing_ok=True)
        print(f"Installing {lock} into {environment.name}: once, about half a minute", flush=True)
        try:
            install(environment, lock, editable=options.editable, held=lock_file.fileno())
        except subprocess.CalledProcessError as error:
            sys.exit(f"{environment.name} is not usable: {error}")
        stamp.write_text(wanted)


if __name__ == "__main__":
    main()
