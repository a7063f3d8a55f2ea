"""G5: a published view is the fold of a prefix of the list, whoever is first, whatever fails."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from gapless.actors.runtime.dispatch import Runnable
from gapless.messages.inputs import Input
from tests.heart.lab import Break, Lab
from tests.support.inputs import gaps, inputs

lists = st.lists(st.tuples(gaps, st.lists(inputs, min_size=1, max_size=3)), max_size=12)


@given(lists, st.randoms(use_true_random=False))
def test_whoever_goes_first_a_view_is_the_fold_of_a_prefix(
    told: list[tuple[int, list[Input]]], chance: random.Random
) -> None:
    lab = Lab()
    for gap, together in told:
        lab.until(lab.clock.now_ms() + gap)
        lab.tell(*together)
        lab.settle(chance.choice)
    lab.check()
    assert lab.waits_for_nothing()


@given(lists, st.randoms(use_true_random=False), st.sampled_from(Break))
def test_whatever_fails_a_view_is_the_fold_of_a_prefix(
    told: list[tuple[int, list[Input]]], chance: random.Random, fault: Break
) -> None:
    lab = Lab()

    faults = [fault] * 6

    def sometimes(mailbox: Runnable) -> None:
        if faults and chance.random() < 0.05:
            lab.break_next(mailbox, faults.pop())
        if chance.random() < 0.2:
            lab.send_late()

    for gap, together in told:
        lab.until(lab.clock.now_ms() + gap)
        lab.tell(*together)
        lab.settle(chance.choice, sometimes)
    lab.check()
    assert fault is Break.REPEATS or lab.waits_for_nothing()
