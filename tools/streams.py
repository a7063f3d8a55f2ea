"""Turn recorded hook streams of CLIs, and what was done to them, into recordings.

A stream is JSON Lines of ``{"at_ms", "harness", "event"}``. Beside it may lie its ``.marks``: what
its driver did and saw on the same clock, among it the CLI's own status file each time it changed.
A recording's clock begins at 0, a stream's with its first event, so all is shifted alike.

Usage: python tools/streams.py STREAM.jsonl... [--into FOLDER] [--without-status]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

WORDS = {
    "claude-code": "claude",
    "codex": "codex",
    "gemini-cli": "gemini",
    "opencode": "opencode",
    "qwen-code": "qwen",
}
"""The word that recordings have for a harness, by the beginning of its stream's."""

STATUS = re.compile(r"sessions/\d+\.json -> (\{.*\})")
"""How a driver notes what the status file of Claude Code said."""


class Mark(NamedTuple):
    """What a driver did or saw."""

    at_ms: int
    text: str

    @property
    def status(self) -> Json:
        """What the status file said, if it is that."""
        found = STATUS.fullmatch(self.text)
        told: Json = json.loads(found[1]) if found else None
        return told


class Event(NamedTuple):
    """What a CLI sent."""

    at_ms: int
    harness: str
    payload: Json


def events(stream: Path) -> list[Event]:
    """Return the events of a stream."""
    rows = map(json.loads, stream.read_text().splitlines())
    return [Event(row["at_ms"], _word(row["harness"]), row["event"]) for row in rows]


def _word(harness: str) -> str:
    for name, word in WORDS.items():
        if harness.startswith(name):
            return word
    msg = f"a stream of which CLI? {harness!r}"
    raise ValueError(msg)


def marks(stream: Path) -> list[Mark]:
    """Return what was done to it; nothing, where nothing is noted."""
    beside = stream.with_suffix(".marks")
    if not beside.exists():
        return []
    rows = map(json.loads, beside.read_text().splitlines())
    return [Mark(row["at_ms"], row["mark"]) for row in rows]


def recording(stream: Path, *, status: bool = True) -> Iterator[dict[str, Json]]:
    """Return the lines of a recording, in the order of their time."""
    sent = events(stream)
    told = [it for it in marks(stream) if it.status is not None] if status else []
    begins_ms = min((*(it.at_ms for it in sent), *(it.at_ms for it in told)))
    harness = sent[0].harness
    rows: list[dict[str, Json]] = [
        {"at_ms": it.at_ms - begins_ms, "session": "s", "harness": harness, "hook": it.payload}
        for it in sent
    ]
    rows.extend(
        {"at_ms": it.at_ms - begins_ms, "session": "s", "harness": harness, "status": it.status}
        for it in told
    )
    yield {"case": stream.stem, "harness": harness, "about": "As a real CLI sent it."}
    yield from sorted(rows, key=lambda row: int(str(row["at_ms"])))


def main() -> None:
    """Turn the streams that are named, onto standard output or into a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("streams", nargs="+", type=Path, metavar="STREAM.jsonl")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write a file for each")
    parser.add_argument("--without-status", action="store_true", help="leave the status file out")
    args = parser.parse_args()
    for stream in args.streams:
        try:
            rows = list(recording(stream, status=not args.without_status))
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"streams: {stream}: {error}")
        text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        if args.into is None:
            sys.stdout.write(text)
        else:
            args.into.mkdir(parents=True, exist_ok=True)
            (args.into / stream.name).write_text(text)


if __name__ == "__main__":
    main()
