"""What the documentation shows is run, in the order in which it is read.

The Python blocks of one file are one program, from the top of the file to its end, unless a block
follows the comment `<!-- new program -->`. Each program runs by itself in an empty folder.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
NEW_PROGRAM = "<!-- new program -->"

# Each block is compiled under the name and the line that it has in the page, for the traceback.
# They run as __main__ because msgspec looks names up in the module that a struct says it is from.
RUN = """
import json, sys
page, blocks = json.load(sys.stdin)
for block in blocks:
    exec(compile(block, page, "exec"))
"""


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    text: str
    begins: bool

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    content = page.read_text()
    for match in BLOCK.finditer(content):
        before = content[: match.start()]
        yield Block(
            page=page,
            line=before.count("\n") + 2,
            language=match["language"],
            text=textwrap.dedent(match["text"]),
            begins=before.rstrip().endswith(NEW_PROGRAM),
        )


def programs() -> Iterator[list[Block]]:
    for page in PAGES:
        program: list[Block] = []
        for block in blocks(page):
            if block.language == "python":
                if block.begins and program:
                    yield program
                    program = []
                program.append(block)
        if program:
            yield program


def make_commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for block in blocks(page):
            if block.language in {"console", "sh"}:
                for number, line in enumerate(block.text.splitlines(), block.line):
                    command = line.removeprefix("$ ").partition("#")[0].split()
                    if command[:1] == ["make"]:
                        words = [word for word in command[1:] if word.isidentifier()]
                        yield from ((f"{page.relative_to(ROOT)}:{number}", w) for w in words)


@pytest.mark.parametrize("program", [pytest.param(p, id=p[0].place) for p in programs()])
def test_the_program_runs(program: list[Block], tmp_path: Path) -> None:
    padded = ["\n" * (block.line - 1) + block.text for block in program]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN],
        input=json.dumps([str(program[0].page), padded]),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{program[0].place}\n{done.stderr}", pytrace=False)


def test_make_has_every_target_that_is_shown() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    unknown = [f"{place}: make {word}" for place, word in make_commands() if word not in targets]
    assert not unknown
