"""A permit is no message: what a recording keeps is that one is due."""

from gapless.messages.answers import Answer, PermitDue, QuestionAnswered
from gapless.typings import close, ids


def record(asked: ids.QuestionId, yes: close.Permitted, due: PermitDue) -> Answer:
    return QuestionAnswered(question=asked, answer=yes)  # refused: arg-type, reportArgumentType
