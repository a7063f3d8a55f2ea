"""Edges: each real one once, and none for what was restored or merely begins."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.edges import edges
from gapless.actors.runtime.dispatch import Runnable
from gapless.messages.inputs import (
    AskAnswered,
    Boundary,
    ConversationStarted,
    Input,
    RestoredTask,
    StatusRead,
    StatusWord,
    TasksRestored,
)
from gapless.messages.session import Take
from gapless.typings.edges import EdgeKind
from gapless.typings.evidence import Provenance, Source
from gapless.typings.ids import CallDigest
from gapless.typings.phases import TaskKind
from gapless.typings.settings import DEFAULTS, Settings
from gapless.typings.states import Done
from tests.heart.lab import Break, Lab
from tests.support.inputs import gaps, inputs
from tests.support.words import (
    C1,
    CHILD,
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


def told(lab: Lab) -> list[EdgeKind]:
    return [it.kind for it in lab.edges]


def after(*told: Input) -> Lab:
    lab = Lab()
    for what in told:
        lab.tell(what)
        lab.settle()
    return lab


def test_a_turn_that_ends_is_told_once() -> None:
    assert told(after(prompt(), stop(), stop())) == [EdgeKind.DONE]


def test_a_turn_that_ends_while_a_child_goes_on_is_not() -> None:
    lab = after(prompt(), starts(), stop(None, row()))
    assert told(lab) == []
    lab.tell(ends(), prompt(delivers=(CHILD,)), stop())
    lab.settle()
    assert told(lab) == [EdgeKind.DONE]


def test_the_end_of_a_turn_is_told_where_that_is_asked_for() -> None:
    lab = Lab(Settings(tells_turn_over=True))
    lab.tell(prompt(), starts(), stop(None, row()))
    lab.settle()
    assert told(lab) == [EdgeKind.TURN_OVER]
    lab.tell(ends(), prompt(delivers=(CHILD,)), stop(), stop())
    lab.settle()
    assert told(lab) == [EdgeKind.TURN_OVER, EdgeKind.TURN_OVER, EdgeKind.DONE]


def test_late_news_of_a_turn_is_no_second_end_of_it() -> None:
    lab = Lab(Settings(tells_turn_over=True))
    lab.tell(prompt(), stop(), calls(), returns())
    lab.settle()
    lab.until(lab.clock.now_ms() + 60_000)
    assert told(lab) == [EdgeKind.TURN_OVER, EdgeKind.DONE]
    assert isinstance(lab.views[-1].state, Done)


def test_the_stop_that_the_status_file_foretold_says_how_the_turn_ended() -> None:
    lab = Lab()
    lab.tell(prompt())
    lab.settle()
    lab.until(10_000)
    lab.tell(StatusRead(word=StatusWord.IDLE))
    lab.settle()
    assert told(lab) == []
    lab.tell(failed_stop())
    lab.settle()
    assert told(lab) == [EdgeKind.FAILED]


def test_an_interrupt_that_only_the_status_file_told_is_told_when_no_stop_came() -> None:
    lab = Lab()
    lab.tell(prompt())
    lab.settle()
    lab.until(10_000)
    lab.tell(StatusRead(word=StatusWord.IDLE))
    lab.settle()
    lab.until(11_999)
    assert told(lab) == []
    lab.until(12_000)
    assert told(lab) == [EdgeKind.DONE]


def test_a_turn_that_failed_is_told_as_that() -> None:
    assert told(after(prompt(), failed_stop())) == [EdgeKind.FAILED]


def test_the_beginning_of_a_conversation_is_no_news() -> None:
    begins = ConversationStarted(how=Boundary.STARTUP, conversation=C1, idle=True)
    assert told(after(begins)) == []


def test_what_is_restored_is_no_news() -> None:
    lab = after(prompt())
    restored = RestoredTask(task=CHILD, kind=TaskKind.AGENT)
    for what in (TasksRestored(tasks=(restored,)), stop()):
        take = Take(what=what, source=Source.HOOK, provenance=Provenance.RESTORED)
        lab.heart.ref.tell(take)
        lab.settle()
    assert told(lab) == []


@pytest.mark.parametrize(("stands_ms", "edges"), [(299, []), (300, [EdgeKind.WAITING])])
def test_an_ask_is_told_once_it_stood_for_a_while(stands_ms: int, edges: list[EdgeKind]) -> None:
    lab = after(prompt(), asks())
    lab.until(stands_ms)
    assert told(lab) == edges


def test_an_ask_that_the_harness_answers_itself_is_not_told() -> None:
    lab = after(prompt(), asks())
    lab.until(DEFAULTS.ask_edge_ms - 1)
    lab.tell(AskAnswered(digest=CallDigest("make")))
    lab.settle()
    lab.until(10_000)
    assert told(lab) == []


def test_somebody_who_is_asked_twice_is_told_once() -> None:
    lab = after(prompt(), asks(), asks(command="rm"))
    lab.until(10_000)
    assert told(lab) == [EdgeKind.WAITING]


lists = st.lists(st.tuples(gaps, inputs), max_size=20)


@given(lists, st.randoms(use_true_random=False), st.sampled_from(Break))
def test_whatever_fails_each_edge_between_two_views_is_told_once(
    happens: list[tuple[int, Input]], chance: random.Random, fault: Break
) -> None:
    lab = Lab()

    def sometimes(mailbox: Runnable) -> None:
        if chance.random() < 0.05:
            lab.break_next(mailbox, fault)

    for gap, what in happens:
        lab.until(lab.clock.now_ms() + gap)
        lab.tell(what)
        lab.settle(chance.choice, sometimes)
    pairs = zip([lab.opened, *lab.views], lab.views, strict=False)
    expected = [edge for before, view in pairs for edge in edges(before, view, turn_over=False)]
    assert [it for it in lab.edges if it.kind is not EdgeKind.WAITING] == expected
