"""Why a call of a host came to nothing."""

from __future__ import annotations

from typing import TypeAlias

from gapless.actors.runtime import AskGone
from gapless.messages.answers import Busy, Fault, Ignored

NotTaken: TypeAlias = Fault | Busy | AskGone
"""The input was not taken: Gapless failed on it, too many wait, or the session is over."""

CallFailure: TypeAlias = NotTaken | Ignored
"""The input was not taken, or it was and changed nothing."""
