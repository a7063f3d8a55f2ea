"""The number of an input does not name a close question."""

from gapless.messages import inputs
from gapless.typings import ids

question = ids.QuestionId(7)
asked = inputs.CloseAsked(question=question)
