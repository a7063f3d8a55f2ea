"""The CPU sampler: one for all sessions, evidence for each, a verdict for none.

What it samples of a session reaches that session as an input, and no other. While inputs wait
there, a later sample takes the place of an earlier one (``line``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Never, TypeAlias, assert_never, final

from gapless.actors.runtime import Answer, Next, Outgoing, StepActor
from gapless.messages.sampler import Sampled, SamplerMessage, Unwatch, Watch
from gapless.messages.session import Take
from gapless.typings.evidence import Source
from gapless.typings.ids import SessionId

Watched: TypeAlias = Mapping[SessionId, Callable[[Take], object]]


@final
class CpuSampler(StepActor[Watched, SamplerMessage, Never]):
    """The actor behind the CPU sampler."""

    def __init__(self) -> None:
        super().__init__({})

    def on_ask(self, query: Never, /) -> Answer:
        """Never called: it is asked nothing."""
        assert_never(query)

    def step(self, state: Watched, message: SamplerMessage, /) -> Next[Watched]:
        """Take one message."""
        match message:
            case Watch(session=session, tell=tell):
                return Next({**state, session: tell})
            case Unwatch(session=session):
                return Next({it: tell for it, tell in state.items() if it != session})
            case Sampled(session=session, evidence=evidence):
                told = state.get(session)
                if told is None:
                    return Next(state)
                take = Take(what=evidence, source=Source.PROCESS)
                return Next(state, (_sent(told, take, session),))
            case _:
                assert_never(message)


def _sent(tell: Callable[[Take], object], take: Take, session: SessionId) -> Outgoing:
    def send() -> bool:
        tell(take)
        return True

    return Outgoing(send, take, session)
