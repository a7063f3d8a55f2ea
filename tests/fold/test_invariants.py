"""The invariants of the design, at every prefix of any list of inputs."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.fold import Whole, advance, fold
from gapless.messages.inputs import (
    AskAnswered,
    AskRaised,
    CallEnded,
    CallStarted,
    TaskFinished,
    TaskSeen,
    TaskStarted,
    TeammateParked,
)
from gapless.messages.recorded import Recorded, decode_row, encode_row
from gapless.testing import Story
from gapless.typings.close import Closable, Held, Undetermined
from gapless.typings.holds import ShellHold, hold_key
from gapless.typings.ids import ManagedId, TaskKey
from gapless.typings.lead import TurnOpen
from gapless.typings.outcome import Success
from gapless.typings.phases import (
    HowSettled,
    Running,
    Settled,
    Starting,
    TaskEnded,
    TaskKind,
)
from gapless.typings.reading import read
from gapless.typings.states import (
    ChildrenAtWork,
    ContinuationOwed,
    CronsArmed,
    LeadTurn,
    Unknown,
    Waiting,
    Working,
)
from gapless.typings.view import SessionView
from tests.support.inputs import stories


def steps(story: Story) -> list[tuple[Recorded, Whole, Whole, SessionView]]:
    whole = Whole()
    out: list[tuple[Recorded, Whole, Whole, SessionView]] = []
    for row in story.rows:
        done = advance(whole, row, story.settings)
        out.append((row, whole, done.whole, done.view))
        whole = done.whole
    return out


@given(stories())
def test_g1_a_shell_that_is_known_or_owes_is_held_for_every_reader(story: Story) -> None:
    for _, _, whole, view in steps(story):
        runs = [it for it in view.shells if it.kind is TaskKind.SHELL]
        assert (ShellHold() in view.holds) == bool(runs)
        for key, managed in whole.registry.managed.items():
            note = whole.drain.notes.get(key)
            alive = isinstance(managed.phase, Starting | Running)
            owed = isinstance(managed.phase, TaskEnded) and managed.phase.owes
            if alive or (owed and not isinstance(note, Settled)):
                assert ShellHold() in view.holds


@given(stories())
def test_g2_when_all_is_settled_no_hold_of_a_task_stays(story: Story) -> None:
    for _, _, _, view in steps(story):
        if not view.shells and not view.children:
            categories = {hold_key(hold)[0] for hold in view.holds}
            assert categories <= {"turn", "ask", "cron"}


HELD_FOR = {
    LeadTurn: {"turn"},
    ChildrenAtWork: {"agent", "workflow"},
    CronsArmed: {"cron"},
    ContinuationOwed: {"shell", "notification"},
}


@given(stories())
def test_g3_every_reason_to_be_working_has_a_hold_of_its_own(story: Story) -> None:
    for _, _, _, view in steps(story):
        if isinstance(view.state, Working):
            categories = {hold_key(hold)[0] for hold in view.holds}
            assert all(HELD_FOR[type(it)] & categories for it in view.state.reasons)


@given(stories())
def test_g4_a_childs_event_never_changes_the_leads_turn(story: Story) -> None:
    childs = (TaskStarted, TaskSeen, TaskFinished, TeammateParked)
    calls = (CallStarted, CallEnded, AskRaised, AskAnswered)
    for row, before, after, _ in steps(story):
        of_child = isinstance(row.what, childs) or (
            isinstance(row.what, calls) and row.what.agent is not None
        )
        if of_child:
            assert after.session.lead.turn is before.session.lead.turn


@given(stories())
def test_g5_a_view_is_the_fold_of_a_prefix(story: Story) -> None:
    for count, (_, _, _, view) in enumerate(steps(story), start=1):
        assert view.upto == count
    assert fold(story.rows, story.settings) == story.view


@given(stories())
def test_g6_unknown_and_undetermined_never_authorise_a_close(story: Story) -> None:
    for _, _, whole, view in steps(story):
        if isinstance(view.state, Unknown):
            assert isinstance(view.close, Held | Undetermined)
        grant = whole.session.desk.grant
        if grant is not None and not grant.stale and not grant.ignoring:
            assert isinstance(view.close, Closable)


@given(stories())
def test_g7_whatever_is_awaited_has_an_alarm_or_no_lease(story: Story) -> None:
    for _, _, whole, view in steps(story):
        child = any(isinstance(it.phase, Running) and not it.silent for it in view.children)
        owed = isinstance(view.state, Working) and ContinuationOwed() in view.state.reasons
        asked = view.asks or isinstance(view.lead, TurnOpen)
        if (child or (owed and not asked)) and not whole.session.closed:
            assert view.next_wake_ms is not None


@given(stories())
def test_g8_a_notification_settles_once_and_only_with_a_cause(story: Story) -> None:
    settled: dict[TaskKey, HowSettled] = {}
    for _, _, whole, _ in steps(story):
        for key, phase in whole.session.ledger.notes.items():
            if isinstance(phase, Settled):
                assert settled.setdefault(key, phase.how) is phase.how


@given(stories())
def test_g10_nothing_is_closable_while_it_works_or_waits(story: Story) -> None:
    for _, _, _, view in steps(story):
        if isinstance(view.state, Working | Waiting):
            assert not isinstance(view.close, Closable)


@given(stories())
def test_every_reason_hold_and_doubt_names_an_input_of_the_list(story: Story) -> None:
    numbers = {row.number for row in story.rows}
    for claim in story.why():
        assert {it.number for it in claim.because} <= numbers
        assert claim.because or "lead was not heard" in claim.text


@given(stories())
def test_a_row_survives_the_journal(story: Story) -> None:
    for row in story.rows:
        assert decode_row(encode_row(row).unwrap()) == Success(row)


@given(stories())
def test_managed_shells_are_named_only_by_their_own_kind(story: Story) -> None:
    for view_of_shell in story.view.shells:
        if isinstance(view_of_shell.key, ManagedId):
            assert view_of_shell.kind is TaskKind.SHELL


@given(stories(), st.randoms(use_true_random=False))
def test_it_does_not_matter_which_owner_takes_its_message_first(
    story: Story, random: Random
) -> None:
    whole = Whole()
    for row, expected in zip(story.rows, story.readings, strict=True):
        done = advance(whole, row, story.settings, random.choice)
        whole = done.whole
        assert read(done.view) == expected
