"""One session: a turn starts a shell and ends, the shell ends, its result is carried back."""

from __future__ import annotations

from gapless.messages.inputs import (
    CallEnded,
    CallStarted,
    CloseAsked,
    CloseUsed,
    ContinuationTaken,
    EffectDone,
    Input,
    PromptSubmitted,
    ShellExited,
    SpawnAsked,
    Spawned,
    TurnEnded,
)
from gapless.testing import Story
from gapless.typings import (
    CallId,
    Completed,
    InputNumber,
    ManagedId,
    ProcessIdentity,
    PromptId,
    QuestionId,
)

SHELL = ManagedId(incarnation=1, counter=1)
PROCESS = ProcessIdentity(boot="b1", pid=4242, start_ticks=1)
ASKED, THEN = QuestionId(1), QuestionId(2)

STORY: list[tuple[int, str, Input]] = [
    (0, "a person types a prompt", PromptSubmitted(prompt=PromptId("p1"))),
    (400, "the agent calls a tool", CallStarted(call=CallId("k1"), tool="Bash")),
    (500, "the host is asked for a shell", SpawnAsked(shell=SHELL, argv=("make", "test"))),
    (510, "its process runs", EffectDone(shell=SHELL, outcome=Spawned(process=PROCESS))),
    (900, "the call returns", CallEnded(call=CallId("k1"), tool="Bash")),
    (2_000, "the turn ends", TurnEnded(outcome=Completed(), prompt=PromptId("p1"))),
    (2_500, "may it be closed?", CloseAsked(question=ASKED)),
    (41_000, "the shell exits", ShellExited(shell=SHELL, code=0)),
    (41_100, "the host continues with it", ContinuationTaken(keys=(SHELL,))),
    (41_200, "the agent hears of it", PromptSubmitted(prompt=PromptId("p2"), typed=False)),
    (45_000, "that turn ends", TurnEnded(outcome=Completed(), prompt=PromptId("p2"))),
    (46_000, "may it be closed now?", CloseAsked(question=THEN)),
    (46_100, "it is closed", CloseUsed(question=THEN, as_of=InputNumber(12))),
]


def main() -> None:
    """Tell the story, and print the view after each input with what it rests on."""
    story = Story()
    print(f"{'seconds':>8}  {'what happens':<30} {'state':<9} {'because of':<13} close")
    for at_ms, words, what in STORY:
        story.at(at_ms, what)
        reading = story.reading()
        why = " ".join((*reading.reasons, *(f"({it})" for it in reading.lingering)))
        seconds = f"{at_ms / 1_000:8.1f}"
        print(f"{seconds}  {words:<30} {reading.state:<9} {why:<13} {reading.close}")
    print("\nIn parentheses: what lingers behind a session that is done. It does no work of its")
    print("own, and to close it would kill the shell: so it reads done, and held.")


if __name__ == "__main__":
    main()
