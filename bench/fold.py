"""How many inputs a second does the fold take, and what does a session weigh?

The story is a day at work in small: turns with calls, an ask, children, a background shell whose
notification a later turn carries, an inventory with each stop. The oracle is a plain
re-reading of the same list with mutable attributes and no evidence: what the guarantees cost.
"""

from __future__ import annotations

import gc
import tracemalloc

from bench.rounds import Contender, compete
from gapless.actors.fold import Whole, advance
from gapless.messages.inputs import (
    AskKind,
    AskRaised,
    CallEnded,
    CallStarted,
    Input,
    Inventory,
    Launch,
    PromptSubmitted,
    TaskFinished,
    TaskRow,
    TaskStarted,
    TurnEnded,
)
from gapless.messages.recorded import Recorded, decode_row, encode_row
from gapless.testing import Story
from gapless.testing.model import model
from gapless.typings.ids import CallDigest, CallId, HarnessSessionId, PromptId, TaskId
from gapless.typings.phases import TaskKind
from gapless.typings.states import Completed

CONVERSATION = HarnessSessionId("c1")
TURNS = 20
SESSIONS = 1_000


def turn(number: int) -> list[Input]:
    """Return the inputs of one turn."""
    prompt, shell, child = PromptId(f"p{number}"), TaskId(f"b{number}"), TaskId(f"a{number}")
    told = (TaskId(f"b{number - 1}"),) if number else ()
    inputs: list[Input] = [PromptSubmitted(conversation=CONVERSATION, prompt=prompt, delivers=told)]
    for step in range(3):
        call, digest = CallId(f"k{number}.{step}"), CallDigest(f"d{step}")
        inputs.append(CallStarted(conversation=CONVERSATION, call=call, tool="Bash", digest=digest))
        if step == 0:
            asked = AskRaised(conversation=CONVERSATION, kind=AskKind.PERMISSION, digest=digest)
            inputs.append(asked)
        inputs.append(CallEnded(conversation=CONVERSATION, call=call, tool="Bash", digest=digest))
    background = TaskStarted(
        conversation=CONVERSATION,
        task=shell,
        kind=TaskKind.SHELL,
        launch=Launch.BACKGROUND,
        call=CallId(f"k{number}.0"),
    )
    inputs += [background, TaskStarted(conversation=CONVERSATION, task=child, kind=TaskKind.AGENT)]
    seen = CallStarted(conversation=CONVERSATION, agent=child, call=CallId(f"c{number}"))
    inputs += [seen, TaskFinished(conversation=CONVERSATION, task=child)]
    listed = Inventory(tasks=(TaskRow(task=shell, kind=TaskKind.SHELL, running=True),))
    ended = TurnEnded(
        conversation=CONVERSATION, prompt=prompt, outcome=Completed(), inventory=listed
    )
    return [*inputs, ended]


def rows() -> list[Recorded]:
    """Return the list of inputs of one session, 5 s a turn."""
    story = Story()
    for number in range(TURNS):
        for place, what in enumerate(turn(number)):
            story.at(number * 5_000 + place * 100, what)
    return story.rows


def decoding(lines: list[bytes]) -> Contender:
    """Read the rows from their wire form."""

    def run() -> int:
        for line in lines:
            decode_row(line)
        return len(lines)

    return run


def one_session(story: list[Recorded]) -> Contender:
    """Fold the list of one session."""

    def run() -> int:
        whole = Whole()
        for row in story:
            whole = advance(whole, row).whole
        return len(story)

    return run


def many_sessions(story: list[Recorded]) -> Contender:
    """Fold an input of each of many sessions in turn, so that no cache stays warm."""
    part = story[:20]

    def run() -> int:
        wholes = [Whole() for _ in range(SESSIONS)]
        for row in part:
            wholes = [advance(whole, row).whole for whole in wholes]
        return SESSIONS * len(part)

    return run


def oracle(story: list[Recorded]) -> Contender:
    """Read the list with the oracle of the tests."""

    def run() -> int:
        return len(model(story))

    return run


def bytes_a_session(story: list[Recorded]) -> tuple[int, int]:
    """Return what the folded state of a session weighs, mid-turn and after all turns."""
    weights: list[int] = []
    for part in (story[: len(story) // TURNS // 2], story):
        gc.collect()
        tracemalloc.start()
        wholes: list[Whole] = []
        for _ in range(100):
            whole = Whole()
            for row in part:
                whole = advance(whole, row).whole
            wholes.append(whole)
        gc.collect()
        weights.append(tracemalloc.get_traced_memory()[0] // len(wholes))
        tracemalloc.stop()
    return weights[0], weights[1]


def main(rounds: int) -> None:
    """Print the table."""
    story = rows()
    print(f"fold: {len(story)} inputs in {TURNS} turns; {rounds} rounds, median (spread)")
    contenders = {
        "the oracle (tests only)": oracle(story),
        "fold, one session": one_session(story),
        f"fold, {SESSIONS:,} sessions in turn": many_sessions(story),
        "decode a row, nothing else": decoding([encode_row(row).unwrap() for row in story]),
    }
    for line in compete(contenders, rounds):
        print(line)
    early, late = bytes_a_session(story)
    print(f"  a session weighs {early:,} bytes in its first turn, {late:,} after {TURNS} turns")
