"""A threaded orchestrator: many sessions at once, each closed only when nothing would be lost.

Each worker plays one agent: a turn that starts a real background shell and ends while it runs,
the turn that hears of the shell's result, and the close. The main thread only reads views.

    python examples/orchestrator.py [--sessions 50]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, NamedTuple, TypeVar, assert_never

from gapless import Continuations, Failure, Outcome, Runtime, Session, SessionView, Success
from gapless.messages.inputs import PromptSubmitted, TurnEnded
from gapless.typings import (
    Completed,
    Done,
    Ended,
    Held,
    Permitted,
    Undetermined,
    Unknown,
    Waiting,
    Working,
)

Value = TypeVar("Value")

PATIENCE_S: Final = 30.0
"""How long a worker waits for what its shell must come to."""


class Tale(NamedTuple):
    """What one worker saw: what its agent heard, and how often its close was refused."""

    texts: list[str]
    refused: int


def must(outcome: Outcome[Value, object]) -> Value:
    """Return what came of a call that has no reason to fail in this script."""
    match outcome:
        case Success(value):
            return value
        case Failure(error):
            raise RuntimeError(error)
        case _:
            assert_never(outcome)


def work(session: Session, number: int) -> Tale:
    """Play one agent from its prompt to its close."""
    script = f"sleep 0.{number % 9 + 1}; echo agent {number} built it; exit {number % 3}"
    with session.continuations() as continuations:
        must(session.call(PromptSubmitted()).wait())
        must(session.spawn_shell("sh", "-c", script).wait())
        must(session.call(TurnEnded(outcome=Completed())).wait())
        return close(session, continuations)


def close(session: Session, continuations: Continuations) -> Tale:
    """Ask until it may be closed, and run meanwhile what holds it."""
    texts: list[str] = []
    refused = 0
    while True:
        answer = must(session.ask_close().wait())
        match answer:
            case Permitted(permit=permit):
                must(session.close(permit).wait())
                return Tale(texts, refused)
            case Held():
                # Here it is always the shell: it runs, or its result is owed to the agent.
                refused += 1
                texts.append(run_next(session, continuations))
            case Undetermined():
                # Not to know is no permission: wait until somebody has said more.
                refused += 1
                must(session.until(is_determined, PATIENCE_S).wait())
            case _:
                assert_never(answer)


def run_next(session: Session, continuations: Continuations) -> str:
    """Run the turn in which the agent hears of what ended, and return what it hears."""
    continuation = must(continuations.next(PATIENCE_S))
    must(continuation.take().wait())
    text = continuation.text  # a real host puts this before its agent, and waits for the answer
    must(session.call(TurnEnded(outcome=Completed())).wait())
    return text


def is_determined(view: SessionView) -> bool:
    return not isinstance(view.close, Undetermined)


def word(view: SessionView) -> str:
    match view.state:
        case Working() | Waiting():
            return "working"
        case Done():
            return "done but held" if isinstance(view.close, Held) else "done"
        case Ended():
            return "closed"
        case Unknown():
            return "not heard of yet"
        case _:
            assert_never(view.state)


def progress(sessions: Sequence[Session]) -> str:
    """Count what the sessions do. To read a view costs an attribute, and disturbs nobody."""
    words = Counter(word(session.view) for session in sessions)
    return ", ".join(f"{count} {it}" for it, count in sorted(words.items()))


def main() -> None:
    """Run the agents side by side, and tell how they are until all are closed."""
    parser = argparse.ArgumentParser(description="Run many scripted agents side by side.")
    parser.add_argument("--sessions", type=int, default=50, help="how many, each on a thread")
    count: int = parser.parse_args().sessions

    # The runtime is left before the pool: should one worker fail, the others are told at once.
    with ThreadPoolExecutor(count) as pool, Runtime.start() as runtime:
        sessions = [runtime.open(f"agent-{number}") for number in range(count)]
        left = {pool.submit(work, session, number) for number, session in enumerate(sessions)}
        tales: list[Tale] = []
        while left:
            print(progress(sessions), flush=True)
            done, left = wait(left, timeout=0.2)
            tales += [worker.result() for worker in done]

    print(f"\nWhat the last agent heard:\n{tales[-1].texts[-1]}\n")
    print(f"{sum(isinstance(it.view.state, Ended) for it in sessions)} sessions closed")
    print(f"{sum(len(tale.texts) for tale in tales)} shells run, each result heard by its agent")
    print(f"{sum(tale.refused for tale in tales)} closes refused first")


if __name__ == "__main__":
    main()
