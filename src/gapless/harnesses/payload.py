"""Read a payload nobody vouches for: what is absent, empty and wrong stay apart.

A field that is absent or null reads as ``None``; a field of the wrong type makes the payload
unreadable, and the answer names its path. Bounds are part of reading: a name of megabytes names
nothing, and would be kept for the life of a session.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Final, TypeAlias, cast, final

import msgspec
from msgspec import Struct

from gapless.messages.inputs import Input
from gapless.typings.ids import CallDigest
from gapless.typings.outcome import Outcome

LONGEST_NAME: Final = 512
"""How long an id or another name may be, in characters; those of the CLIs have up to 64."""

MOST_ROWS: Final = 1_000
"""How many rows of a list are read; what is beyond makes the list incomplete."""


@final
class Unreadable(Struct, frozen=True, kw_only=True, tag="unreadable"):
    """A payload that cannot be read: ``path`` is where (``$.tool_use_id``), ``reason`` why."""

    path: str
    reason: str


Inputs: TypeAlias = Outcome[tuple[Input, ...], Unreadable]
"""What a payload comes to."""

Object: TypeAlias = Mapping[str, object]
"""A JSON object as it was decoded."""


class PayloadError(Exception):
    """Raised inside an adapter where a payload cannot be read; its face returns ``Unreadable``."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.unreadable: Final = Unreadable(path=path, reason=reason)


def _unexpected(where: str, wanted: str, value: object) -> PayloadError:
    return PayloadError(where, f"expected {wanted}, not {_kind(value)}")


def _at(path: str, name: str) -> str:
    return f"{path}.{name}"


def object_or_none(value: object) -> Object | None:
    """Return ``value`` as a JSON object, if it is one."""
    return cast("Object", value) if isinstance(value, dict) else None  # JSON has no other keys


def object_of(value: object, path: str) -> Object:
    """Return ``value`` as the JSON object it has to be.

    Raises:
        PayloadError: it is something else.

    """
    found = object_or_none(value)
    if found is None:
        raise _unexpected(path, "an object", value)
    return found


def field(payload: Object, name: str, path: str = "$") -> str | None:
    """Return a name, an id or a word: ``None`` if it is absent, null or empty.

    Raises:
        PayloadError: it is no string, or longer than any name.

    """
    value = payload.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise _unexpected(_at(path, name), "a string", value)
    if len(value) > LONGEST_NAME:
        reason = f"{len(value):,} characters are too many for a name"
        raise PayloadError(_at(path, name), reason)
    if not value.isascii() and _SURROGATE.search(value):
        raise PayloadError(_at(path, name), "half a surrogate pair is no character")
    return value


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def needed(payload: Object, name: str, path: str = "$") -> str:
    """Return a name without which the rest says nothing.

    Raises:
        PayloadError: it is absent, empty, no string, or longer than any name.

    """
    value = field(payload, name, path)
    if value is None:
        raise PayloadError(_at(path, name), "it is missing")
    return value


def field_or_none(payload: Object, name: str) -> str | None:
    """Return a name, where one that cannot be read is as good as none."""
    try:
        return field(payload, name)
    except PayloadError:
        return None


def decoded(text: bytes) -> object:
    """Return what a JSON text says, as a CLI writes it.

    Those that run on JavaScript write half a surrogate pair where a text was cut, and numbers
    beyond all bounds. The strict decoder refuses both; the lenient one then reads what it says.

    Raises:
        ValueError: it is no JSON, or nested too deeply.

    """
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        found: object = json.loads(text)
    except RecursionError as error:
        msg = "it is nested too deeply"
        raise ValueError(msg) from error
    return found


_decoder: Final = msgspec.json.Decoder(object)


def count(payload: Object, name: str, path: str = "$") -> int | None:
    """Return a number of things or of milliseconds: ``None`` if it is absent or null.

    Raises:
        PayloadError: it is no whole number, negative, or larger than 64 bits hold.

    """
    value = payload.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unexpected(_at(path, name), "a whole number", value)
    if not 0 <= value < 1 << 63:
        raise PayloadError(_at(path, name), "it is out of range")
    return value


def text(payload: Object, name: str, path: str = "$") -> str:
    """Return a text of any length; what is absent or null is empty.

    Raises:
        PayloadError: it is no string.

    """
    value = payload.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _unexpected(_at(path, name), "a string", value)
    return value


def rows(payload: Object, name: str, path: str = "$") -> list[object] | None:
    """Return a list, or ``None`` where none was sent; null is none.

    Raises:
        PayloadError: it is something else.

    """
    value = payload.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise _unexpected(_at(path, name), "a list", value)
    return cast("list[object]", value)  # what is in it is looked at one by one


def objects(found: list[object]) -> Iterator[Object | None]:
    """Return the first rows, and ``None`` for each that is no object."""
    for row in found[:MOST_ROWS]:
        yield object_or_none(row)


def digest(tool: str, arguments: object) -> CallDigest | None:
    """Name a call by its tool and its input, for what carries no call id.

    Equal JSON has equal digests, in whatever order its keys were sent. ``None`` where the
    input cannot be written as JSON again: nested too deeply, or with numbers beyond 64 bits.
    """
    try:
        written = _encoder.encode((tool, arguments))
    except (RecursionError, OverflowError, ValueError, TypeError):
        return None
    return CallDigest(blake2b(written, digest_size=12).hexdigest())


_encoder: Final = msgspec.json.Encoder(order="sorted")

_KINDS: Final[dict[type, str]] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "null" if value is None else "something else")
