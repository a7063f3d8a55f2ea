"""The close question: its gate, its rounds, its permit."""

from __future__ import annotations

from gapless.messages.answers import Answer, Closed, Ignored, NotClosed, PermitDue, QuestionAnswered
from gapless.messages.inputs import (
    CloseAsked,
    CloseForced,
    CloseUsed,
    ContinuationTaken,
    NotificationSettled,
)
from gapless.testing import Story
from gapless.typings.close import ForgedPermit, Held, StalePermit, Undetermined
from gapless.typings.doubts import (
    AlreadyAsking,
    OwnerGone,
    SilentSource,
    SourceSilent,
    TurnStillRunning,
)
from gapless.typings.holds import ShellHold, TurnHold
from gapless.typings.ids import InputNumber, QuestionId
from gapless.typings.states import EndCause, Ended
from tests.support.words import SHELL, exits, prompt, spawn, spawned, stop

Q1, Q2 = QuestionId(1), QuestionId(2)


def ask(question: QuestionId = Q1, drain_ms: int | None = None) -> CloseAsked:
    return CloseAsked(question=question, drain_ms=drain_ms)


def last(story: Story) -> Answer:
    return story.answers[-1]


def answer(story: Story) -> object:
    match last(story):
        case QuestionAnswered(answer=said):
            return said
        case said:
            return said


def use(story: Story) -> CloseUsed:
    due = answer(story)
    assert isinstance(due, PermitDue)
    return CloseUsed(question=Q1, as_of=due.as_of)


def test_an_idle_session_permits_and_closes(story: Story) -> None:
    story.at(0, prompt(), stop(), ask())
    assert answer(story) == PermitDue(as_of=InputNumber(3), gated=False)
    story.at(1_000, use(story))
    assert last(story) == Closed(ended=Ended(cause=EndCause.CLOSED))
    story.at(2_000, prompt())
    assert isinstance(last(story), Ignored)
    assert story.reading().state == "ended"


def test_a_session_no_harness_speaks_of_is_gated(story: Story) -> None:
    story.at(0, spawn(), ask())
    assert answer(story) == Held(first=ShellHold())
    story.at(1_000, exits(), NotificationSettled(key=SHELL), ask())
    assert answer(story) == Undetermined(first=SourceSilent(source=SilentSource.LEAD))


def test_a_turn_holds_at_once_without_a_budget(story: Story) -> None:
    story.at(0, prompt(), ask())
    assert answer(story) == Held(first=TurnHold())


def test_with_a_budget_the_answer_waits_for_the_turns_own_end(story: Story) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000))
    assert story.answers == []
    story.at(1_000, stop())
    assert isinstance(answer(story), PermitDue)


def test_a_shell_that_the_turn_starts_meanwhile_holds(story: Story) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000), spawn(), stop())
    assert answer(story) == Held(first=ShellHold())


def test_anything_besides_the_turn_holds_at_once(story: Story) -> None:
    story.at(0, prompt(), spawn(), ask(drain_ms=5_000))
    assert answer(story) == Held(first=TurnHold(), more=(ShellHold(),))


def test_when_the_budget_runs_out_the_answer_is_undetermined_and_the_gate_opens(
    story: Story,
) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000))
    story.at(5_000)
    assert answer(story) == Undetermined(first=TurnStillRunning())
    story.at(6_000, ask(Q2))
    assert answer(story) == Held(first=TurnHold())


def test_a_second_question_meanwhile_gets_no_gate(story: Story) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000), ask(Q2))
    assert answer(story) == Undetermined(first=AlreadyAsking())


def test_no_continuation_starts_while_the_gate_is_shut(story: Story) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000), spawn(), exits(), ContinuationTaken(keys=(SHELL,)))
    assert isinstance(last(story), Ignored)


def test_a_permit_is_stale_once_a_turn_began_even_if_it_is_over(story: Story) -> None:
    story.at(0, prompt(), stop(), ask())
    used = use(story)
    story.at(1_000, prompt(), stop(), used)
    assert last(story) == NotClosed(refusal=StalePermit(as_of=InputNumber(3)))
    assert story.reading().state == "done"


def test_a_permit_is_stale_once_a_later_question_got_one(story: Story) -> None:
    story.at(0, prompt(), stop(), ask())
    used = use(story)
    story.at(1_000, ask(Q2), used)
    assert last(story) == NotClosed(refusal=StalePermit(as_of=InputNumber(3)))


def test_a_question_that_waits_is_answered_when_the_session_is_closed_over_it(
    story: Story,
) -> None:
    story.at(0, prompt(), ask(drain_ms=5_000), CloseForced(cause="shutdown"))
    assert story.answers[0] == QuestionAnswered(
        question=Q1, answer=Undetermined(first=OwnerGone(subject="the session"))
    )


def test_a_permit_of_another_version_is_forged(story: Story) -> None:
    story.at(0, prompt(), stop(), ask(), CloseUsed(question=Q1, as_of=InputNumber(2)))
    assert last(story) == NotClosed(refusal=ForgedPermit())


def test_a_permit_is_good_for_one_close(story: Story) -> None:
    story.at(0, prompt(), stop(), ask())
    used = use(story)
    story.at(1_000, used, used)
    assert isinstance(last(story), Ignored)


def test_a_host_can_ignore_what_it_can_lose(story: Story) -> None:
    loses = CloseAsked(question=Q1, ignoring=(("shell", "background-shells"),))
    story.at(0, prompt(), spawn(), spawned(), stop(), loses)
    story.at(1_000, use(story))
    assert story.reading().state == "ended"


def test_force_closes_whatever_is_lost(story: Story) -> None:
    story.at(0, prompt(), CloseForced(cause="shutdown"))
    assert story.answers == [Closed(ended=Ended(cause=EndCause.FORCED))]
