"""Whoever matches the kinds of asks hears of elicitations: an enum is sealed too."""

from typing import assert_never

from gapless.messages.inputs import AskKind


def word(kind: AskKind) -> str:
    match kind:
        case AskKind.PERMISSION | AskKind.PLAN:
            return "allow"
        case AskKind.QUESTION:
            return "answer"
        case AskKind.ELICITATION:
            return "fill in"
        case _:
            assert_never(kind)


word(AskKind.PLAN)
