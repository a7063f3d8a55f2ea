"""The shell that nothing names: a status file says that one runs, and not which.

It holds like any other, until something names what runs or the file says that nothing does.
"""

from __future__ import annotations

from typing import Final, assert_never

from gapless.actors import lives as living
from gapless.actors.lives import Lives
from gapless.messages.inputs import StatusWord
from gapless.messages.moment import Moment
from gapless.typings.ids import TaskId
from gapless.typings.phases import HowEnded, TaskKind
from gapless.typings.settings import Settings

UNNAMED: Final = TaskId("unnamed")
"""What it is called."""


def hear(
    lives: Lives, moment: Moment, word: StatusWord, settings: Settings, *, followed: bool
) -> Lives:
    """Take a word of the status file; ``followed``: the last one was "shell".

    If "idle" follows that, and the lead has been idle for longer than the file may be behind, the
    shells and monitors that were known are gone. Else it may be older than what the hooks told.
    """
    match word:
        case StatusWord.SHELL:
            if lives.running():
                return lives
            return living.begin_unseen(lives, moment, UNNAMED, TaskKind.SHELL)
        case StatusWord.IDLE:
            lives = name(lives, moment)
            idle_ms = moment.idle_ms - moment.idle_base_ms if moment.idle else 0
            if not followed or idle_ms <= settings.status_lag_ms:
                return lives
            for life in lives.running():
                lives = living.finish(lives, moment, life, HowEnded.VANISHED, in_turn=False)
            return lives
        case StatusWord.BUSY | StatusWord.WAITING | StatusWord.UNKNOWN:
            return lives
        case _:
            assert_never(word)


def name(lives: Lives, moment: Moment) -> Lives:
    """Forget it, for something names what runs; nobody is told of its end."""
    life = lives.current.get(UNNAMED)
    if life is None or not life.running:
        return lives
    return living.void(lives, moment, (life,))
