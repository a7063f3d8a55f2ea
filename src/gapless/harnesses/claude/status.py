"""Claude Code's session status file, read as inputs: one word for what its process is doing.

``<config>/sessions/<pid>.json`` is written when the word changes, so its age means nothing. It is
undocumented, and up to 2.5 s behind the hooks or a second ahead of them (measured): a hint to be
weighed. It is about the process: the conversation that it names may be the one before a ``/clear``.
"""

from __future__ import annotations

from typing import Final

from gapless.harnesses.payload import Inputs, Object, PayloadError, count, field, object_of
from gapless.messages.inputs import StatusRead, StatusWord
from gapless.typings.outcome import Failure, Success

_WORDS: Final = {str(it): it for it in StatusWord}


def read_status(content: object) -> Inputs:
    """Return what the content of a status file comes to; nothing, where it has no status.

    ``content`` is the decoded JSON. A word nobody knows is unknown, and not the last one again.
    """
    try:
        found = object_of(content, "$")
        word = field(found, "status")
        if word is None:
            return Success(())
        known = _WORDS.get(word.strip().lower(), StatusWord.UNKNOWN)
        stamps = (_stamp(found, "statusUpdatedAt"), _stamp(found, "updatedAt"))
        changed_ms = next((it for it in stamps if it is not None), None)
        return Success((StatusRead(word=known, changed_ms=changed_ms),))
    except PayloadError as error:
        return Failure(error.unreadable)


def _stamp(found: Object, name: str) -> int | None:
    """Return a time in ms; one that cannot be read costs nobody the word."""
    try:
        return count(found, name)
    except PayloadError:
        return None
