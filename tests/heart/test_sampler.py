"""Evidence of the CPU reaches the session it was sampled of, and no other."""

from __future__ import annotations

from gapless.actors.runtime import ActorSystem, ManualClock, SteppedDispatcher
from gapless.actors.sampler import CpuSampler
from gapless.messages.inputs import CpuSampled, CpuVerdict
from gapless.messages.sampler import Sampled, Unwatch, Watch
from gapless.messages.session import Take
from gapless.typings.ids import SessionId
from tests.heart.lab import Lab
from tests.support.words import prompt

ONE, OTHER = SessionId("one"), SessionId("other")
STATIC = CpuSampled(verdict=CpuVerdict.STATIC)


def test_a_sample_reaches_the_session_it_is_of_and_no_other() -> None:
    dispatcher = SteppedDispatcher()
    sampler = ActorSystem(dispatcher, ManualClock()).spawn(CpuSampler)
    one, other = list[Take](), list[Take]()
    sampler.tell(Watch(session=ONE, tell=one.append))
    sampler.tell(Watch(session=OTHER, tell=other.append))
    sampler.tell(Sampled(session=ONE, evidence=STATIC))
    sampler.tell(Unwatch(session=ONE))
    sampler.tell(Sampled(session=ONE, evidence=STATIC))
    dispatcher.run()
    assert [take.what for take in one] == [STATIC]
    assert other == []


def test_of_samples_that_wait_only_the_latest_gets_a_number() -> None:
    lab = Lab()
    late = [CpuSampled(verdict=CpuVerdict.STATIC, delta_ticks=ticks) for ticks in range(5)]
    lab.tell(prompt(), *late)
    lab.settle()
    assert [row.what for row in lab.rows] == [prompt(), late[-1]]


def test_whoever_called_with_a_sample_that_was_replaced_hears_of_the_one_that_counts() -> None:
    lab = Lab()
    lab.tell(prompt(), *[CpuSampled(verdict=CpuVerdict.STATIC)] * 10_000)
    lab.settle()
    assert lab.waits_for_nothing()
    assert len(lab.rows) == 2
