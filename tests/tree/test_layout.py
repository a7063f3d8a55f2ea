"""The promises that the tree makes about itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import gapless

ROOT = Path(__file__).parents[2]
LINKS = ("actors", "messages", "typings")

INDEX = re.compile(
    r"https?://\S*(/simple\b|/packages/|\.whl\b|\.tar\.gz\b)|(index-url|find-links)[ =]+\S*/"
)
HOME = re.compile(r"(?<![\w.])/(?:root\b|(?:home|Users)/\w)")


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(gapless.__path__, "gapless.")
    names = [module.name for module in found if not module.name.endswith("__main__")]
    return [gapless, *map(importlib.import_module, names)]


def structs(base: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    for struct in base.__subclasses__():
        if struct.__module__.partition(".")[0] == "gapless":
            yield struct
        yield from structs(struct)


@pytest.mark.parametrize("link", LINKS)
def test_the_link_at_the_root_shows_the_package(link: str) -> None:
    assert (ROOT / link).readlink() == Path("src/gapless", link)
    assert (ROOT / link / "__init__.py").is_file()


def test_importing_everything_loads_nothing_by_the_name_of_a_link() -> None:
    modules()
    assert not [link for link in LINKS if link in sys.modules]


def test_every_public_name_is_there() -> None:
    missing = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name in getattr(module, "__all__", ())
        if not hasattr(module, name)
    ]
    assert not missing


def test_every_struct_is_frozen_and_keyword_only() -> None:
    modules()
    lenient = [
        struct
        for struct in structs()
        if not struct.__struct_config__.frozen
        or any(p.kind is not p.KEYWORD_ONLY for p in inspect.signature(struct).parameters.values())
    ]
    assert not lenient


def test_every_module_can_be_read_in_one_go() -> None:
    lines = {p: len(p.read_text().splitlines()) for p in (ROOT / "src").rglob("*.py")}
    assert not {path: count for path, count in lines.items() if count >= 400}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only git knows which files are ours")
@pytest.mark.skipif(shutil.which("git") is None, reason="only git knows which files are ours")
def test_no_file_names_a_package_index_or_the_home_of_its_author() -> None:
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.check_output(listing, cwd=ROOT, text=True).split("\0")
    guilty = [
        f"{name}:{number}: {line.strip()}"
        for name in names
        if (ROOT / name).is_file()
        for number, line in enumerate((ROOT / name).read_text(errors="replace").splitlines(), 1)
        if INDEX.search(line) or HOME.search(line)
    ]
    assert not guilty


@pytest.mark.parametrize("path", sorted((ROOT / "bench").glob("*.py")), ids=lambda it: it.stem)
def test_every_benchmark_can_still_be_loaded(path: Path) -> None:
    importlib.import_module(f"bench.{path.stem}")
