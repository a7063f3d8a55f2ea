"""What the CPU sampler is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, final

from msgspec import Struct

from gapless.messages.inputs.observed import CpuSampled
from gapless.messages.session import Take
from gapless.typings.ids import SessionId


@final
class Watch(Struct, frozen=True, kw_only=True):
    """Tell this session from now on, through ``tell``, what is sampled of it."""

    session: SessionId
    tell: Callable[[Take], object]


@final
class Unwatch(Struct, frozen=True, kw_only=True, gc=False):
    """Tell this session nothing more."""

    session: SessionId


@final
class Sampled(Struct, frozen=True, kw_only=True, gc=False):
    """Evidence of a session: sampled by a tick, or given by hand."""

    session: SessionId
    evidence: CpuSampled


SamplerMessage: TypeAlias = Watch | Unwatch | Sampled
