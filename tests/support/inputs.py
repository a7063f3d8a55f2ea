"""Hypothesis strategies for lists of inputs: few names, so that things meet; all kinds and gaps."""

from __future__ import annotations

from hypothesis import strategies as st

from gapless.messages.inputs import (
    AgentsKilled,
    AskAnswered,
    AskKind,
    AskRaised,
    Boundary,
    CallEnded,
    CallStarted,
    CloseAsked,
    CloseForced,
    CloseUsed,
    ContinuationTaken,
    ConversationEnded,
    ConversationStarted,
    CronRow,
    EffectDone,
    Input,
    Inventory,
    InventoryListed,
    Launch,
    NotificationDelivered,
    NotificationDiscarded,
    NotificationSettled,
    PaneCaptured,
    PaneCleared,
    PromptSubmitted,
    RestoredTask,
    ShellAdopted,
    ShellExited,
    ShellLost,
    SpawnAsked,
    Spawned,
    SpawnFailed,
    StatusRead,
    StatusWord,
    StopAsked,
    TaskFinished,
    TaskRow,
    TaskSeen,
    TasksRestored,
    TaskStarted,
    TeammateParked,
    TurnEnded,
    TurnEndLogged,
    TurnInterrupted,
)
from gapless.testing import Story
from gapless.typings.ids import (
    AskId,
    CallDigest,
    CallId,
    CronId,
    HarnessSessionId,
    InputNumber,
    ManagedId,
    PromptId,
    QuestionId,
    ReportedId,
    TaskId,
    TaskKey,
)
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.processes import ProcessIdentity
from gapless.typings.spawning import CommandNotFound
from gapless.typings.states import Completed, Failed, Interrupted

LEASE_EDGES = (
    0,
    1,
    300,
    1_000,
    1_999,
    2_000,
    2_001,
    2_500,
    2_501,
    5_000,
    59_999,
    60_000,
    60_001,
    7_200_000,
)

conversations = st.sampled_from([None, *map(HarnessSessionId, ("c1", "c1", "c1", "c2"))])
tasks = st.sampled_from([TaskId(name) for name in ("t1", "t2", "t3")])
calls = st.sampled_from([CallId(name) for name in ("k1", "k2", "k3")])
digests = st.sampled_from([None, CallDigest("d1"), CallDigest("d2")])
tools = st.sampled_from(["", "Bash"])
prompts = st.sampled_from([None, PromptId("p1"), PromptId("p2"), PromptId("p3")])
asks = st.sampled_from([None, AskId("a1"), AskId("a2")])
agents = st.one_of(st.none(), st.none(), tasks)
kinds = st.sampled_from(TaskKind)
ends = st.sampled_from(HowEnded)
shells = st.builds(ManagedId, incarnation=st.just(1), counter=st.integers(1, 3))
keys: st.SearchStrategy[TaskKey] = st.one_of(
    shells,
    st.builds(
        ReportedId,
        owner=st.sampled_from(["roster", "registry"]),
        task=tasks,
        life=st.integers(1, 3),
    ),
)
process = ProcessIdentity(boot="b", pid=1, start_ticks=1)

task_rows = st.builds(
    TaskRow, task=tasks, kind=kinds, running=st.booleans(), how=ends, word=st.just("w")
)
inventories = st.builds(
    Inventory,
    tasks=st.one_of(st.none(), st.lists(task_rows, max_size=3).map(tuple)),
    crons=st.one_of(
        st.none(),
        st.lists(st.builds(CronRow, cron=st.just(CronId("r1"))), max_size=1).map(tuple),
    ),
    complete=st.booleans(),
)
endings = st.sampled_from([Completed(), Completed(), Interrupted(), Failed(error="e")])

lead_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        PromptSubmitted,
        conversation=conversations,
        prompt=prompts,
        typed=st.booleans(),
        body=st.sampled_from([None, None, CallDigest("b1"), CallDigest("b2")]),
        delivers=st.lists(tasks, max_size=2).map(tuple),
    ),
    st.builds(
        TurnEnded,
        conversation=conversations,
        outcome=endings,
        prompt=prompts,
        inventory=st.one_of(st.none(), inventories),
    ),
    st.builds(
        CallStarted,
        conversation=conversations,
        agent=agents,
        typed=st.booleans(),
        call=calls,
        tool=tools,
        digest=digests,
        shell=st.booleans(),
        prompt=prompts,
    ),
    st.builds(
        CallEnded,
        conversation=conversations,
        agent=agents,
        typed=st.booleans(),
        call=st.one_of(st.none(), calls),
        tool=tools,
        digest=digests,
    ),
    st.builds(
        AskRaised,
        conversation=conversations,
        agent=agents,
        typed=st.booleans(),
        kind=st.sampled_from(AskKind),
        ask=asks,
        call=st.one_of(st.none(), calls),
        digest=digests,
        tool=tools,
        prompt=prompts,
    ),
    st.builds(
        AskAnswered,
        conversation=conversations,
        agent=agents,
        ask=asks,
        call=st.one_of(st.none(), calls),
        digest=digests,
    ),
    st.builds(InventoryListed, conversation=conversations, inventory=inventories),
    st.builds(
        TurnEndLogged,
        conversation=conversations,
        outcome=endings,
        prompt=prompts,
        agents=st.sampled_from([None, None, 0, 1, 2]),
    ),
    st.builds(
        StatusRead,
        word=st.sampled_from(StatusWord),
        changed_ms=st.one_of(st.none(), st.none(), st.integers(0, 9_000)),
    ),
    st.builds(
        NotificationDelivered,
        conversation=conversations,
        tasks=st.lists(tasks, min_size=1, max_size=2).map(tuple),
    ),
)

task_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        TaskStarted,
        conversation=conversations,
        task=tasks,
        kind=kinds,
        launch=st.sampled_from(Launch),
        call=st.one_of(st.none(), calls),
        teammate=st.sampled_from([None, None, None, "mate"]),
    ),
    st.builds(
        TaskFinished,
        conversation=conversations,
        task=tasks,
        kind=st.one_of(st.none(), kinds),
        how=ends,
        typed=st.booleans(),
    ),
    st.builds(TaskSeen, conversation=conversations, task=tasks, typed=st.booleans()),
    st.builds(AgentsKilled, conversation=conversations),
    st.builds(TeammateParked, conversation=conversations, teammate=st.just("mate")),
    st.builds(
        TasksRestored,
        tasks=st.lists(st.builds(RestoredTask, task=tasks, kind=kinds), max_size=2).map(tuple),
    ),
)

shell_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(SpawnAsked, shell=shells, argv=st.just(("true",))),
    st.builds(
        EffectDone,
        shell=shells,
        outcome=st.sampled_from(
            [Spawned(process=process), SpawnFailed(cause=CommandNotFound(command="mkae"))]
        ),
    ),
    st.builds(ShellExited, shell=shells, code=st.sampled_from([0, 1, -9, None])),
    st.builds(ShellAdopted, shell=shells, process=st.just(process)),
    st.builds(ShellLost, shell=shells),
    st.builds(StopAsked, shell=shells),
)

host_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(ContinuationTaken, keys=st.lists(keys, min_size=1, max_size=2).map(tuple)),
    st.builds(NotificationSettled, key=keys),
    st.builds(NotificationDiscarded, key=keys),
    st.builds(TurnInterrupted),
    st.builds(PaneCaptured, hash=st.just("h")),
)

close_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        CloseAsked,
        question=st.integers(1, 3).map(QuestionId),
        drain_ms=st.sampled_from([None, 1_000]),
        ignoring=st.sampled_from([(), (("shell", "background-shells"),)]),
    ),
    st.builds(
        CloseUsed,
        question=st.integers(1, 3).map(QuestionId),
        as_of=st.integers(1, 40).map(InputNumber),
    ),
)

rare_inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        ConversationStarted,
        conversation=conversations,
        how=st.sampled_from(Boundary),
        idle=st.booleans(),
    ),
    st.builds(ConversationEnded, conversation=conversations),
    st.just(PaneCleared()),
    st.just(CloseForced(cause="test")),
    close_inputs,
)

work_inputs: st.SearchStrategy[Input] = st.one_of(
    lead_inputs, lead_inputs, task_inputs, task_inputs, shell_inputs, host_inputs
)
"""What happens while a session goes on."""

inputs: st.SearchStrategy[Input] = st.one_of(
    work_inputs, work_inputs, work_inputs, work_inputs, work_inputs, work_inputs, rare_inputs
)
"""Anything, in any order: most of it would never be sent like this, and none of it may break us."""

gaps = st.sampled_from(LEASE_EDGES)


@st.composite
def stories(draw: st.DrawFn, max_size: int = 30) -> Story:
    """Draw a whole list of inputs, with the alarms that rang and, now and then, a clock jump."""
    story = Story()
    for gap, jumps, what in draw(
        st.lists(st.tuples(gaps, st.integers(0, 19), inputs), max_size=max_size)
    ):
        if jumps == 0:
            story.jump(story.now_ms + gap, what)
        else:
            story.at(story.now_ms + gap, what)
    return story
