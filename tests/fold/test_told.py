"""What the log and the status file tell of a turn, whichever of it comes first."""

from __future__ import annotations

import pytest

from gapless.messages.inputs import (
    AgentsKilled,
    Input,
    Launch,
    StatusRead,
    StatusWord,
    TurnEndLogged,
    TurnInterrupted,
)
from gapless.testing import Story
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import PromptId
from gapless.typings.phases import TaskKind
from gapless.typings.states import Completed, Failed, Interrupted
from tests.support.words import (
    BUILD,
    CHILD,
    HELD_BY_SHELLS,
    OTHER,
    P1,
    P2,
    asks,
    calls,
    ends,
    failed_stop,
    prompt,
    returns,
    row,
    starts,
    stop,
)

IDLE, BUSY = StatusRead(word=StatusWord.IDLE), StatusRead(word=StatusWord.BUSY)
SHELL_RUNS, STRANGE = StatusRead(word=StatusWord.SHELL), StatusRead(word=StatusWord.UNKNOWN)
CUT = TurnEndLogged(outcome=Interrupted())
OVER = TurnEndLogged(outcome=Completed())


def said(story: Story) -> tuple[str, str]:
    return story.reading().state, story.reading().lead


def test_the_file_ends_a_turn_that_is_older_than_its_delay(story: Story) -> None:
    story.at(0, prompt())
    story.at(2_501, IDLE)
    assert said(story) == ("done", "interrupted")


def test_until_a_stop_could_have_come_nothing_is_closed(story: Story) -> None:
    story.at(0, prompt())
    story.at(9_000, IDLE)
    assert story.reading().close == "undetermined"
    story.at(10_999)
    assert story.reading().close == "undetermined"
    story.at(11_000)
    assert story.reading().close == "closable"


def test_the_stop_says_how_it_ended(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, IDLE)
    story.at(9_900, stop(P1, row(BUILD, TaskKind.SHELL)))
    assert said(story) == ("done", "done")
    assert story.reading().close == "held"


def test_in_a_young_turn_the_word_has_to_stand(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(9_000, BUSY)
    story.at(9_500, prompt(P2))
    story.at(9_900, IDLE)
    story.at(11_999)
    assert said(story) == ("working", "working")
    story.at(12_000)
    assert said(story) == ("done", "interrupted")


def test_in_a_young_turn_of_a_file_that_was_not_busy_it_says_nothing(story: Story) -> None:
    story.at(0, prompt())
    story.at(900, IDLE)
    story.at(600_000)
    assert said(story) == ("working", "working")


def test_busy_takes_an_idle_back(story: Story) -> None:
    story.at(0, prompt())
    story.at(9_000, IDLE)
    story.at(9_100, BUSY)
    story.at(600_000)
    assert said(story) == ("working", "working")


@pytest.mark.parametrize("stamp", [7, 6])
def test_a_word_that_did_not_change_is_no_news(story: Story, stamp: int) -> None:
    story.at(0, StatusRead(word=StatusWord.IDLE, changed_ms=7), prompt())
    story.at(9_000, StatusRead(word=StatusWord.IDLE, changed_ms=stamp))
    assert said(story) == ("working", "working")


def test_after_their_clock_was_set_back_the_file_is_believed(story: Story) -> None:
    story.at(0, StatusRead(word=StatusWord.BUSY, changed_ms=9_000_000), prompt())
    story.at(9_000, StatusRead(word=StatusWord.IDLE, changed_ms=7))
    assert said(story) == ("done", "interrupted")


def test_busy_that_stands_is_a_turn_no_hook_told_of(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(9_000, BUSY)
    story.at(11_499)
    assert said(story) == ("done", "done")
    story.at(11_500)
    assert said(story) == ("working", "working")


def test_busy_beside_a_child_is_the_childs(story: Story) -> None:
    story.at(0, prompt(), starts(), stop(None, row()))
    story.at(9_000, IDLE, BUSY)
    story.at(60_000)
    assert said(story) == ("working", "done")


def test_what_the_host_saw_is_opened_by_a_prompt_alone(story: Story) -> None:
    story.at(0, prompt(), TurnInterrupted())
    story.at(9_000, BUSY, calls("k9"))
    story.at(60_000)
    assert said(story) == ("done", "interrupted")


def test_the_host_makes_sure_of_what_was_presumed(story: Story) -> None:
    story.at(0, prompt())
    story.at(9_000, IDLE)
    story.at(9_100, TurnInterrupted())
    story.at(60_000, calls("k9"))
    assert said(story) == ("done", "interrupted")


@pytest.mark.parametrize("end", [IDLE, CUT], ids=["file", "log"])
def test_a_call_much_later_shows_that_a_presumed_interrupt_was_none(
    story: Story, end: Input
) -> None:
    story.at(0, prompt())
    story.at(9_000, end)
    story.at(11_000, calls("late"), asks())
    assert said(story) == ("done", "interrupted")
    story.at(11_001, calls("new"))
    assert said(story) == ("working", "working")


@pytest.mark.parametrize(
    "told",
    [(IDLE,), (BUSY, IDLE), (BUSY, SHELL_RUNS, IDLE), (IDLE, BUSY, IDLE), (BUSY, CUT)],
    ids=["idle", "busy", "shell", "again", "mark"],
)
def test_a_session_no_hook_told_of_is_never_closable(story: Story, told: tuple[Input, ...]) -> None:
    for number, word in enumerate(told):
        story.at(number * 9_000, word)
    assert story.reading().state == "done"
    assert story.reading().close == "undetermined"
    story.at(7_200_000)
    assert story.reading().close == "undetermined"


def test_a_word_that_is_read_again_does_not_begin_to_stand_again(story: Story) -> None:
    story.at(0, prompt(), stop())
    for second in range(9, 12):
        story.at(second * 1_000, BUSY)
    story.at(11_500, BUSY)
    assert said(story) == ("working", "working")


def test_the_same_prompts_stop_ends_the_turn_that_busy_reopened(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(9_000, BUSY)
    story.at(60_000, stop(P1))
    assert said(story) == ("done", "done")


@pytest.mark.parametrize("idle_ms", [20_100, 20_600], ids=["before", "after"])
def test_a_late_call_whose_end_was_lost_is_over_by_the_files_word(
    story: Story, idle_ms: int
) -> None:
    story.at(0, prompt(P1))
    story.at(200, BUSY)
    story.at(20_000, stop(P1))
    late: list[tuple[int, Input]] = [(20_300, calls("k9")), (idle_ms, IDLE)]
    for at_ms, what in sorted(late, key=lambda it: it[0]):
        story.at(at_ms, what)
    assert said(story) == ("working", "working")
    story.at(23_100)
    assert said(story) == ("done", "interrupted")


@pytest.mark.parametrize("word", [IDLE, BUSY])
def test_a_strange_word_is_not_the_last_one_again(story: Story, word: StatusRead) -> None:
    story.at(0, word)
    assert said(story) != ("unknown", "unknown")
    story.at(9_000, STRANGE)
    assert said(story) == ("unknown", "unknown")


def test_a_strange_word_says_nothing_against_a_hook(story: Story) -> None:
    story.at(0, BUSY, prompt())
    story.at(9_000, STRANGE)
    assert said(story) == ("working", "working")


def test_a_mark_ends_the_turn_at_once(story: Story) -> None:
    story.at(0, prompt(), stop())
    story.at(9_000, prompt())
    story.at(9_100, CUT)
    assert said(story) == ("done", "interrupted")
    assert story.reading().close == "closable"


def test_a_mark_behind_a_queued_prompt_is_of_the_turn_before(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, prompt(P2))
    story.at(11_500, CUT)
    assert said(story) == ("working", "working")
    story.at(11_501, CUT)
    assert said(story) == ("done", "interrupted")


def test_a_mark_behind_the_hosts_own_is_of_the_turn_before(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, TurnInterrupted())
    story.at(9_100, prompt(P2))
    story.at(9_200, CUT)
    assert said(story) == ("working", "working")


def test_a_mark_that_names_its_prompt_is_of_that(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, prompt(P2))
    story.at(9_100, TurnEndLogged(outcome=Interrupted(), prompt=P1))
    assert said(story) == ("working", "working")
    story.at(9_200, TurnEndLogged(outcome=Interrupted(), prompt=P2))
    assert said(story) == ("done", "interrupted")


def test_a_mark_may_overtake_the_prompt_it_cuts_short(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(9_000, CUT)
    story.at(11_000, prompt(P2))
    assert said(story) == ("done", "interrupted")


@pytest.mark.parametrize("outcome", [Completed(), Failed(error="e")])
def test_another_end_in_the_log_waits_for_the_stop(
    story: Story, outcome: Completed | Failed
) -> None:
    story.at(0, prompt())
    story.at(9_000, TurnEndLogged(outcome=outcome))
    story.at(10_999)
    assert said(story) == ("working", "working")
    story.at(11_000)
    assert said(story)[0] == "done"


def test_the_stop_beats_what_the_log_foretold(story: Story) -> None:
    story.at(0, prompt())
    story.at(9_000, OVER)
    story.at(9_500, failed_stop())
    story.at(60_000)
    assert said(story) == ("done", "failed")


def test_a_duration_behind_the_next_prompt_is_of_the_turn_before(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, stop(P1))
    story.at(9_100, prompt(P2), OVER)
    story.at(60_000)
    assert said(story) == ("working", "working")


def test_a_prompt_takes_back_the_end_that_the_log_told(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, OVER)
    story.at(9_100, prompt(P2))
    story.at(60_000)
    assert said(story) == ("working", "working")


def test_agents_the_log_alone_counts_are_unknown_until_it_counts_none(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1, listed=False))
    story.at(9_000, TurnEndLogged(outcome=Completed(), agents=1))
    assert said(story) == ("unknown", "done")
    story.at(20_000, TurnEndLogged(outcome=Completed(), agents=0))
    assert said(story) == ("done", "done")


def test_agents_that_are_known_are_not_counted_twice(story: Story) -> None:
    story.at(0, prompt(P1), starts(), stop(P1, row()))
    story.at(9_000, TurnEndLogged(outcome=Completed(), agents=1))
    assert said(story) == ("working", "done")


def test_no_agents_left_is_the_end_of_those_that_were_known(story: Story) -> None:
    story.at(0, prompt(P1), starts(), stop(P1, row()))
    story.at(9_000, TurnEndLogged(outcome=Completed(), agents=0))
    assert story.reading().reasons == ("continuation",)


def test_a_count_may_be_older_than_a_child(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(9_000, prompt(P2), starts(), TurnEndLogged(outcome=Completed(), agents=0))
    assert story.reading().reasons == ("children", "lead-turn")


def test_agents_that_are_killed_owe_nothing(story: Story) -> None:
    story.at(0, prompt(), starts(), starts(OTHER, TaskKind.WORKFLOW), stop(None, row()))
    story.at(1, starts(OTHER, TaskKind.WORKFLOW))
    story.at(9_000, AgentsKilled())
    assert ("agent", CHILD) not in story.reading().holds


def test_a_shell_that_only_the_file_knows_holds(story: Story) -> None:
    story.at(0, prompt(P1))
    story.at(9_000, SHELL_RUNS)
    assert story.reading().holds == HELD_BY_SHELLS
    story.at(9_500, stop(P1, row(BUILD, TaskKind.SHELL)))
    assert story.reading().holds == HELD_BY_SHELLS
    story.at(9_600, ends(BUILD, TaskKind.SHELL), prompt(P2, delivers=(BUILD,)), stop(P2))
    assert said(story) == ("done", "done")


def test_a_shell_is_gone_once_idle_follows_shell(story: Story) -> None:
    build = starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND)
    story.at(0, prompt(), build, stop(None, row(BUILD, TaskKind.SHELL)))
    story.at(9_000, SHELL_RUNS)
    story.at(60_000, IDLE)
    assert story.reading().reasons == ("continuation",)
    story.at(120_000)
    assert said(story) == ("done", "done")


@pytest.mark.parametrize("words", [(IDLE,), (SHELL_RUNS, BUSY, IDLE)], ids=["alone", "after busy"])
def test_any_other_idle_may_be_older_than_the_shell(
    story: Story, words: tuple[StatusRead, ...]
) -> None:
    build = starts(BUILD, TaskKind.SHELL, launch=Launch.BACKGROUND)
    story.at(0, prompt(), build, stop(None, row(BUILD, TaskKind.SHELL)))
    story.at(9_000, *words)
    assert story.reading().holds == HELD_BY_SHELLS


def test_late_news_of_a_turn_leaves_it_as_over_as_it_was(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(400, calls("k9"))
    story.at(600, returns("k9"))
    assert said(story) == ("working", "working")
    story.at(2_000)
    assert said(story) == ("done", "done")


def test_a_call_that_runs_on_shows_that_the_turn_goes_on(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(400, calls("k9"))
    story.at(600_000)
    assert said(story) == ("working", "working")


def test_a_call_of_a_prompt_nobody_heard_is_another_turn(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    another = calls("k9")
    story.at(400, type(another)(call=another.call, prompt=PromptId("p9")))
    story.at(600, returns("k9"))
    story.at(600_000)
    assert said(story) == ("working", "working")


def test_a_permission_that_is_asked_again_behind_its_turn_is_not_asked(story: Story) -> None:
    story.at(0, prompt(P1), calls(), asks())
    story.at(1_000, stop(P1))
    story.at(1_100, asks())
    assert said(story) == ("done", "done")


def test_a_permission_whose_call_nobody_heard_is_dropped_in_time(story: Story) -> None:
    story.at(0, prompt(P1), stop(P1))
    story.at(1_100, asks())
    assert said(story)[0] == "waiting"
    story.at(2_000)
    assert said(story) == ("done", "done")


WAITS = StatusRead(word=StatusWord.WAITING)


def test_busy_after_waiting_is_the_persons_answer(story: Story) -> None:
    story.at(0, prompt(), calls(), asks())
    story.at(400, WAITS)
    assert said(story)[0] == "waiting"
    story.at(9_000, BUSY)
    assert said(story) == ("working", "working")


@pytest.mark.parametrize(
    "told",
    [
        (asks(), BUSY),
        (WAITS, asks(), BUSY),
        (asks(), asks(command="other"), WAITS, BUSY),
        (asks(), asks(agent=CHILD), WAITS, BUSY),
    ],
    ids=["not shown", "raised later", "one of two", "a child asks too"],
)
def test_it_answers_nothing_else(story: Story, told: tuple[Input, ...]) -> None:
    story.at(0, prompt(), starts())
    for number, what in enumerate(told):
        story.at(1_000 * (number + 1), what)
    assert said(story)[0] == "waiting"


def test_hooks_are_live_once_one_was_heard_as_it_happened(story: Story) -> None:
    story.at(0, IDLE, source=Source.STATUS_FILE)
    assert not story.view.hooks_live
    story.at(1, prompt(), source=Source.HOOK, provenance=Provenance.SPOOLED)
    assert not story.view.hooks_live
    story.at(2, calls(), source=Source.HOOK)
    assert story.view.hooks_live
