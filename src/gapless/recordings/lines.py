"""The lines of a recording: one thing that happened each.

Checked as they are decoded, so that an error says where in the line it is. A line that is no JSON
object, or whose clock goes back, makes a file unreadable. A line that is readable and means
nothing to us (a member of a later version, a harness nobody knows) is not understood: its clock
counts, and whoever replays it says so.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, TypeVar, final

import msgspec
from msgspec import Meta, Struct

from gapless.harnesses.payload import decoded
from gapless.typings.outcome import Failure, Outcome, Success

Bytes: TypeAlias = Annotated[int, Meta(ge=0)]
Millis: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=512)]

LONGEST_LINE: Final = 64 << 20
"""How long a line may be, in bytes. Our choice: the largest payload seen has 4 MiB."""


@final
class Header(Struct, frozen=True, kw_only=True):
    """The first line of a recording, if it has one: what it is about."""

    case: str
    harness: str = ""
    about: str = ""


class _ByHost(Struct, frozen=True, kw_only=True, tag_field="did", forbid_unknown_fields=True):
    """Stand behind what a host did."""


class _OfShell(Struct, frozen=True, kw_only=True, tag_field="is", forbid_unknown_fields=True):
    """Stand behind what happened to a managed shell, by its name in the recording."""

    id: Name


@final
class Interrupt(_ByHost, frozen=True, kw_only=True, tag="interrupt"):
    """The host saw a person interrupt."""


@final
class RestoredChild(Struct, frozen=True, kw_only=True):
    """A child as it was before a restart."""

    id: Name
    state: str = "working"
    started_at_ms: int | None = None


@final
class Restore(_ByHost, frozen=True, kw_only=True, tag="restore"):
    """The host restarted, and remembers these children."""

    children: tuple[RestoredChild, ...]


@final
class Clear(_ByHost, frozen=True, kw_only=True, tag="clear"):
    """The pane is gone."""


@final
class Close(_ByHost, frozen=True, kw_only=True, tag="close"):
    """The host closed the session."""


@final
class Continue(_ByHost, frozen=True, kw_only=True, tag="continue"):
    """The host runs the continuation that carries this notification."""

    notification: Name


@final
class Settle(_ByHost, frozen=True, kw_only=True, tag="settle"):
    """The host delivered this notification."""

    notification: Name


@final
class Exited(_ByHost, frozen=True, kw_only=True, tag="exited"):
    """The agent's process is gone."""

    pid: int


@final
class Watch(_ByHost, frozen=True, kw_only=True, tag="watch"):
    """The processes below this folder are the session's."""

    worktree: str


Host: TypeAlias = Interrupt | Restore | Clear | Close | Continue | Settle | Exited | Watch
"""What the host knows or does."""


@final
class Started(_OfShell, frozen=True, kw_only=True, tag="started"):
    """A managed shell runs."""


@final
class ShellEnded(_OfShell, frozen=True, kw_only=True, tag="ended"):
    """A managed shell is gone; ``code`` is its exit status, a signal negative."""

    code: int | None = None


@final
class Grew(_OfShell, frozen=True, kw_only=True, tag="grew"):
    """A managed shell's log is so long, in bytes."""

    to: Bytes


@final
class StopRequested(_OfShell, frozen=True, kw_only=True, tag="stop-requested"):
    """A managed shell is asked to end."""


Shell: TypeAlias = Started | ShellEnded | Grew | StopRequested
"""What happens to a managed shell."""


@final
class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line: when, whose, and what happened; without that it only moves the clock.

    ``log``, ``status``, ``poll``, ``process``, ``claim`` and ``pane`` are as they were sent.
    """

    at_ms: Millis
    session: Name | None = None
    harness: Name | None = None
    hook: object | None = None
    log: object | None = None
    status: object | None = None
    host: Host | None = None
    shell: Shell | None = None
    poll: object | None = None
    process: object | None = None
    claim: object | None = None
    pane: object | None = None
    expect: dict[str, object] = {}

    @property
    def told(self) -> list[str]:
        """The members that say what happened: one, or none where it only moves the clock."""
        return [name for name in MEMBERS if getattr(self, name) is not None]

    def __post_init__(self) -> None:
        """Refuse two things in one line, and things of no session.

        Raises:
            ValueError: that is what it has.

        """
        told = self.told
        if len(told) > 1:
            msg = f"one thing a line, not {' and '.join(told)}"
            raise ValueError(msg)
        if told and self.session is None:
            msg = f"`{told[0]}` of which `session`?"
            raise ValueError(msg)


MEMBERS: Final = (
    "hook",
    "log",
    "status",
    "host",
    "shell",
    "poll",
    "process",
    "claim",
    "pane",
)
"""The members that say what happened; a line has one of them, or none."""


@final
class NotUnderstood(Struct, frozen=True, kw_only=True):
    """A line that is readable and means nothing to us; ``at_ms`` counts all the same."""

    at_ms: int
    reason: str
    session: str | None = None


@final
class BrokenLine(Struct, frozen=True, kw_only=True, gc=False):
    """A line without which the rest of a file means nothing."""

    reason: str


class _Clocked(Struct, frozen=True, kw_only=True):
    at_ms: Millis
    session: str | None = None


class _MayBeHeader(Struct, frozen=True, kw_only=True):
    case: object = msgspec.UNSET


Kind = TypeVar("Kind", bound=Struct)


def _decoded(line: bytes, kind: type[Kind]) -> Kind:
    """Return a line as one of these, also one in which a CLI wrote what strict decoders refuse."""
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        try:
            found = decoded(line)
        except ValueError:
            raise error from None  # which says where it is wrong
        return msgspec.convert(found, kind)


Parsed: TypeAlias = Outcome[Line | Header | NotUnderstood, BrokenLine]
"""What a line comes to."""


def parse(line: bytes, *, first: bool) -> Parsed:
    """Read one line; only the ``first`` of a file may be a header."""
    if len(line) > LONGEST_LINE:
        return Failure(BrokenLine(reason=f"it has {len(line):,} bytes; {LONGEST_LINE:,} at most"))
    try:
        if first and _decoded(line, _MayBeHeader).case is not msgspec.UNSET:
            return Success(_decoded(line, Header))
        return Success(_decoded(line, Line))
    except RecursionError:
        return Failure(BrokenLine(reason="it is nested too deeply"))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        reason = str(error)
    try:
        clock = _decoded(line, _Clocked)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return Failure(BrokenLine(reason=reason))
    return Success(NotUnderstood(at_ms=clock.at_ms, session=clock.session, reason=reason))
