"""One hook event of Claude Code, read as inputs.

Events come from separate processes: in any order within two seconds, twice, or never. So none
is read in the light of another; what they come to together is the fold's business. A request for
permission names no call, hence the digest of tool and input. An event that names a child says
nothing of the lead, and the list of tasks in it proves only that what it lists runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from gapless.harnesses.capabilities import Capabilities
from gapless.harnesses.claude import tools
from gapless.harnesses.claude.inventory import inventory_of, without
from gapless.harnesses.claude.notices import notice
from gapless.harnesses.payload import (
    Inputs,
    Object,
    PayloadError,
    digest,
    field,
    needed,
    object_of,
    objects,
    rows,
    text,
)
from gapless.messages.inputs import (
    AskAnswered,
    AskKind,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    ConversationEnded,
    ConversationStarted,
    Input,
    InventoryListed,
    PromptSubmitted,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
    TurnEnded,
)
from gapless.typings.ids import AskId, CallDigest, CallId, HarnessSessionId, PromptId, TaskId
from gapless.typings.outcome import Failure, Success
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.states import Completed, Failed, Interrupted

CAPABILITIES: Final = Capabilities(
    sees_interrupt=False,
    sees_permission=True,
    sees_question=True,
    sees_children=True,
    has_inventory=True,
    has_crons=True,
    has_failure_class=True,
    has_turn_id=True,
    has_log=True,
    has_status_file=True,
)


class _Event(NamedTuple):
    """What every event carries: whose it is, in which conversation, of which prompt."""

    payload: Object
    conversation: HarnessSessionId | None
    prompt: PromptId | None
    agent: TaskId | None
    typed: bool

    @property
    def body(self) -> CallDigest | None:
        """What tells it from another event, where it has no prompt's id."""
        return None if self.prompt is not None else digest("event", self.payload)


def read_hook(payload: object) -> Inputs:
    """Return what a hook's payload comes to; nothing, where it says nothing of the state.

    ``payload`` is the decoded JSON that Claude Code gives a hook.
    """
    try:
        found = object_of(payload, "$")
        name = needed(found, "hook_event_name")
        reader = _READERS.get(name)
        if reader is None:
            return Success(())
        event = _event(found)
        return Success(_with_list(event, reader(event)))
    except PayloadError as error:
        return Failure(error.unreadable)


def _with_list(event: _Event, told: tuple[Input, ...]) -> tuple[Input, ...]:
    """Add what an event lists; what ends the lead's turn has it in that.

    The list in a child's event has the child itself as running (measured), and is not complete. It
    comes first, for what it shows runs while the child ends; a lead's comes when its turn is open.
    """
    if any(isinstance(it, TurnEnded) for it in told):
        return told
    inventory = inventory_of(event.payload, ends_turn=False)
    if inventory is None:
        return told
    if event.agent is None:
        return (*told, InventoryListed(inventory=inventory, conversation=event.conversation))
    others = without(inventory, event.agent)
    return (InventoryListed(inventory=others, conversation=event.conversation), *told)


def _event(payload: Object) -> _Event:
    conversation, prompt = field(payload, "session_id"), field(payload, "prompt_id")
    agent = field(payload, "agent_id")
    return _Event(
        payload,
        None if conversation is None else HarnessSessionId(conversation),
        None if prompt is None else PromptId(prompt),
        None if agent is None else TaskId(agent),
        typed=agent is None or field(payload, "agent_type") is not None,
    )


def _session_start(event: _Event) -> tuple[Input, ...]:
    source = field(event.payload, "source")
    if event.agent is not None or source not in _BOUNDARIES:
        return ()
    return (ConversationStarted(how=_BOUNDARIES[source], conversation=event.conversation),)


_BOUNDARIES: Final = {str(it): it for it in Boundary}

_ANNOUNCES: Final = frozenset({"clear", "resume"})
"""Why a conversation ends whose process goes on with another one."""


def _session_end(event: _Event) -> tuple[Input, ...]:
    if event.agent is not None or field(event.payload, "reason") in _ANNOUNCES:
        return ()
    return (ConversationEnded(conversation=event.conversation),)


def _prompt(event: _Event) -> tuple[Input, ...]:
    if event.agent is not None:
        alive = TaskSeen(task=event.agent, typed=event.typed, conversation=event.conversation)
        return (alive,)
    told = notice(text(event.payload, "prompt"))
    source = field(event.payload, "source")
    submitted = PromptSubmitted(
        prompt=event.prompt,
        typed=told is None and source in {None, "user"},
        delivers=(told.task,) if told is not None and told.over else (),
        body=event.body,
        conversation=event.conversation,
    )
    return (submitted,)


def _call_starts(event: _Event) -> tuple[Input, ...]:
    tool = needed(event.payload, "tool_name")
    call = CallId(needed(event.payload, "tool_use_id"))
    mark = digest(tool, event.payload.get("tool_input"))
    started = CallStarted(
        call=call,
        tool=tool,
        digest=mark,
        shell=tool in tools.SHELLS,
        prompt=event.prompt,
        agent=event.agent,
        typed=event.typed,
        conversation=event.conversation,
    )
    kind = tools.ASKS.get(tool)
    if kind is None:
        return (started,)
    return (started, _asks(event, kind, mark, call=call, tool=tool))


def _asks(  # noqa: PLR0913 - what names a request, each where it is told
    event: _Event,
    kind: AskKind,
    mark: CallDigest | None,
    *,
    ask: AskId | None = None,
    call: CallId | None = None,
    tool: str = "",
) -> AskRaised:
    return AskRaised(
        kind=kind,
        ask=ask,
        call=call,
        digest=mark,
        tool=tool,
        prompt=event.prompt,
        agent=event.agent,
        typed=event.typed,
        conversation=event.conversation,
    )


def _call_ends(event: _Event) -> tuple[Input, ...]:
    tool = needed(event.payload, "tool_name")
    arguments = event.payload.get("tool_input")
    call = CallId(needed(event.payload, "tool_use_id"))
    told = tools.effects_of(
        tool, arguments, event.payload.get("tool_response"), call, event.conversation
    )
    return (*told, _ended(event, call, tool, arguments))


def _call_fails(event: _Event) -> tuple[Input, ...]:
    call = CallId(needed(event.payload, "tool_use_id"))
    tool = needed(event.payload, "tool_name")
    return (_ended(event, call, tool, event.payload.get("tool_input")),)


def _ended(event: _Event, call: CallId, tool: str, arguments: object) -> CallEnded:
    return CallEnded(
        call=call,
        tool=tool,
        digest=digest(tool, arguments),
        agent=event.agent,
        typed=event.typed,
        conversation=event.conversation,
    )


def _batch_ends(event: _Event) -> tuple[Input, ...]:
    """All parallel calls are over, also those that were refused."""
    ended: list[Input] = []
    for row in objects(rows(event.payload, "tool_calls") or []):
        call = None if row is None else field(row, "tool_use_id", "$.tool_calls[]")
        if row is not None and call is not None:
            tool = field(row, "tool_name", "$.tool_calls[]") or ""
            ended.append(_ended(event, CallId(call), tool, row.get("tool_input")))
    return tuple(ended)


def _permission_asked(event: _Event) -> tuple[Input, ...]:
    tool = needed(event.payload, "tool_name")
    mark = digest(tool, event.payload.get("tool_input"))
    return (_asks(event, tools.ASKS.get(tool, AskKind.PERMISSION), mark, tool=tool),)


def _elicitation(event: _Event) -> tuple[Input, ...]:
    ask, mark = _request(event)
    return (_asks(event, AskKind.ELICITATION, mark, ask=ask),)


def _elicitation_answered(event: _Event) -> tuple[Input, ...]:
    ask, mark = _request(event)
    answered = AskAnswered(
        ask=ask,
        digest=mark,
        agent=event.agent,
        typed=event.typed,
        conversation=event.conversation,
    )
    return (answered,)


def _request(event: _Event) -> tuple[AskId | None, CallDigest | None]:
    """Name what an MCP server asks: by its id, and without one by the server alone."""
    name = field(event.payload, "elicitation_id")
    server = field(event.payload, "mcp_server_name")
    return None if name is None else AskId(name), digest("elicitation", server)


def _child_starts(event: _Event) -> tuple[Input, ...]:
    agent = TaskId(needed(event.payload, "agent_id"))
    if not event.typed:
        return ()
    mate = _teammate(agent)
    started = TaskStarted(
        task=agent,
        kind=TaskKind.AGENT if mate is None else TaskKind.TEAMMATE,
        teammate=mate,
        conversation=event.conversation,
    )
    return (started,)


def _teammate(agent: TaskId) -> str | None:
    """Return the name inside the id of a named child: ``a``, the name, a hyphen, a number."""
    name, hyphen, _ = agent[1:].rpartition("-")
    return name if hyphen and name and agent.startswith("a") else None


def _child_ends(event: _Event, how: HowEnded = HowEnded.COMPLETED) -> tuple[Input, ...]:
    agent = TaskId(needed(event.payload, "agent_id"))
    ended = TaskFinished(task=agent, how=how, typed=event.typed, conversation=event.conversation)
    return (ended,)


def _stops(event: _Event) -> tuple[Input, ...]:
    if event.agent is not None:
        return _child_ends(event)
    interrupted = event.payload.get("is_interrupt") is True
    return (_turn_ends(event, Interrupted() if interrupted else Completed()),)


def _fails(event: _Event) -> tuple[Input, ...]:
    if event.agent is not None:
        return _child_ends(event, HowEnded.FAILED)
    return (_turn_ends(event, Failed(error=field(event.payload, "error") or "")),)


def _turn_ends(event: _Event, outcome: Completed | Interrupted | Failed) -> TurnEnded:
    return TurnEnded(
        outcome=outcome,
        prompt=event.prompt,
        inventory=inventory_of(event.payload, ends_turn=True),
        conversation=event.conversation,
    )


def _compacted(event: _Event) -> tuple[Input, ...]:
    """End the turn that a compaction is, if a person asked for it: it sends no stop."""
    if event.agent is not None or field(event.payload, "trigger") != "manual":
        return ()
    return (_turn_ends(event, Completed()),)


def _notified(event: _Event) -> tuple[Input, ...]:
    """Take the notifications that tell what no other event does.

    A minute after a stop the person is reminded, so a turn whose stop was lost is over. In auto
    mode the person has to choose where a call could not be checked, and no permission is asked for
    (measured): it names no call, so it is a question, which any new call shows to be answered.
    Others confirm what other events tell sooner, and name no call and no child.
    """
    kind = field(event.payload, "notification_type")
    if kind == "agent_needs_input":
        return (_asks(event, AskKind.QUESTION, None),)
    if kind != "idle_prompt" or event.prompt is None:
        return ()
    ended = TurnEnded(outcome=Completed(), prompt=event.prompt, conversation=event.conversation)
    return (ended,)


def _teammate_idles(event: _Event) -> tuple[Input, ...]:
    name = needed(event.payload, "teammate_name")
    return (TeammateParked(teammate=name, conversation=event.conversation),)


_Reader: TypeAlias = Callable[[_Event], tuple[Input, ...]]

_READERS: Final[dict[str, _Reader]] = {
    "SessionStart": _session_start,
    "SessionEnd": _session_end,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _call_starts,
    "PostToolUse": _call_ends,
    "PostToolUseFailure": _call_fails,
    "PostToolBatch": _batch_ends,
    "PermissionRequest": _permission_asked,
    "PermissionDenied": _call_fails,
    "Elicitation": _elicitation,
    "ElicitationResult": _elicitation_answered,
    "SubagentStart": _child_starts,
    "SubagentStop": _child_ends,
    "Stop": _stops,
    "StopFailure": _fails,
    "PostCompact": _compacted,
    "TeammateIdle": _teammate_idles,
    "Notification": _notified,
}
"""The events that say something of the state; the others come to nothing."""
