"""Turn the lines of one session into inputs.

Managed shells and their notifications have names of the recording's own; here they get
the places that the ledger needs. What was done about a shell stands in the list, and is not done
again: a line that says it started is both the asking and what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias, assert_never, final

from gapless.harnesses import claude
from gapless.harnesses.payload import Inputs, field_or_none, object_or_none
from gapless.messages.inputs import (
    CloseForced,
    ContinuationTaken,
    ConversationEnded,
    EffectDone,
    Input,
    NotificationSettled,
    PaneCleared,
    RestoredTask,
    ShellExited,
    ShellGrew,
    SpawnAsked,
    Spawned,
    StopAsked,
    TasksRestored,
    TurnInterrupted,
)
from gapless.recordings.lines import (
    Clear,
    Close,
    Continue,
    Exited,
    Grew,
    Host,
    Interrupt,
    Line,
    Restore,
    Settle,
    Shell,
    ShellEnded,
    Started,
    StopRequested,
    Watch,
)
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import ManagedId, TaskId, TaskKey
from gapless.typings.outcome import Failure, Success
from gapless.typings.processes import ProcessIdentity
from gapless.typings.states import EndCause


class Said(NamedTuple):
    """An input, who says it, and whether it was seen as it happened."""

    what: Input
    source: Source
    provenance: Provenance = Provenance.LIVE


class Read(NamedTuple):
    """What a line comes to: inputs, in a few words, and what of it means nothing to us."""

    inputs: tuple[Said, ...]
    words: str
    trouble: str | None = None


_Reader: TypeAlias = Callable[[object], Inputs]

HOOKS: Final[dict[str, _Reader]] = {"claude": claude.read_hook}
"""What reads the hooks of a harness, by the word that recordings have for it."""

LOGS: Final[dict[str, _Reader]] = {"claude": claude.read_log}
"""What reads the rows of its session log."""

STATUSES: Final[dict[str, _Reader]] = {"claude": claude.read_status}
"""What reads its session status file."""


@final
class Reader:
    """Reads the lines of one session."""

    def __init__(self) -> None:
        self._shells: dict[str, ManagedId] = {}

    def read(self, line: Line, keys: Callable[[str], TaskKey | None]) -> Read:
        """Return what a line comes to; ``keys`` finds a task of the session by its name."""
        if line.hook is not None:
            words = _word(line.hook, "hook_event_name", "hook")
            return _sent(line, HOOKS, line.hook, "hooks", words, Source.HOOK)
        if line.log is not None:
            words = f"log {_word(line.log, 'subtype', _word(line.log, 'type', 'row'))}"
            return _sent(line, LOGS, line.log, "log", words, Source.LOG)
        if line.status is not None:
            words = f"status {_word(line.status, 'status', '?')}"
            return _sent(line, STATUSES, line.status, "status file", words, Source.STATUS_FILE)
        if line.host is not None:
            return self._host(line.host, keys)
        if line.shell is not None:
            return self._shell(line.shell)
        if not line.told:
            return Read((), "")
        name = line.told[0]
        return Read((), name, f"`{name}` means nothing to this version")

    def _host(self, host: Host, keys: Callable[[str], TaskKey | None]) -> Read:
        match host:
            case Interrupt():
                return _by_host("interrupt", TurnInterrupted())
            case Restore(children=children):
                tasks = tuple(
                    RestoredTask(task=TaskId(it.id)) for it in children if it.state == "working"
                )
                restored = Said(TasksRestored(tasks=tasks), Source.HOST, Provenance.RESTORED)
                return Read((restored,), f"restore {len(tasks)}")
            case Clear():
                return _by_host("clear", PaneCleared())
            case Close():
                return _by_host("close", CloseForced(cause="recorded"))
            case Exited(pid=pid):
                ended = ConversationEnded(cause=EndCause.PROCESS_GONE)
                return Read((Said(ended, Source.PROCESS),), f"process {pid} exited")
            case Watch(worktree=worktree):
                return Read((), f"watch {worktree}")
            case Continue(notification=name) | Settle(notification=name):
                key = self._shells.get(name) or keys(name)
                if key is None:
                    return Read((), f"{name}?", f"no notification is called {name!r}")
                if isinstance(host, Continue):
                    return _by_host(f"continue {name}", ContinuationTaken(keys=(key,)))
                return _by_host(f"settle {name}", NotificationSettled(key=key))
            case _:
                assert_never(host)

    def _shell(self, shell: Shell) -> Read:
        name = shell.id
        if isinstance(shell, Started) and name not in self._shells:
            counter = len(self._shells) + 1
            key = self._shells[name] = ManagedId(incarnation=1, counter=counter)
            started = Spawned(process=_identity(counter))
            asked = Said(SpawnAsked(shell=key, argv=(name,)), Source.HOST)
            done = Said(EffectDone(shell=key, outcome=started), Source.EFFECT)
            return Read((asked, done), f"shell {name} started")
        known = self._shells.get(name)
        if known is None:
            return Read((), f"shell {name}?", f"no shell is called {name!r}")
        match shell:
            case Started():
                return Read((), f"shell {name}?", f"shell {name!r} was started before")
            case ShellEnded(code=code):
                ended = Said(ShellExited(shell=known, code=code), Source.PROCESS)
                return Read((ended,), f"shell {name} ended with {code}")
            case Grew(to=to):
                return _by_host(f"shell {name} grew to {to}", ShellGrew(shell=known, to_bytes=to))
            case StopRequested():
                return _by_host(f"shell {name} is to stop", StopAsked(shell=known))
            case _:
                assert_never(shell)


def _sent(  # noqa: PLR0913, PLR0917 - what was sent, and how it is spoken of
    line: Line,
    readers: Mapping[str, _Reader],
    payload: object,
    what: str,
    words: str,
    source: Source,
) -> Read:
    reader = readers.get(line.harness or "")
    if reader is None:
        return Read((), words, f"nothing reads the {what} of harness {line.harness!r}")
    match reader(payload):
        case Success(inputs):
            return Read(tuple(Said(it, source) for it in inputs), words)
        case Failure(unreadable):
            return Read((), words, f"{unreadable.path}: {unreadable.reason}")


def _word(payload: object, name: str, otherwise: str) -> str:
    return field_or_none(object_or_none(payload) or {}, name) or otherwise


def _by_host(words: str, what: Input) -> Read:
    return Read((Said(what, Source.HOST),), words)


def _identity(counter: int) -> ProcessIdentity:
    return ProcessIdentity(boot="recorded", pid=counter, start_ticks=counter)
