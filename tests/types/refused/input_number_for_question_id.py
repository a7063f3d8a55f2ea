"""The number of an input does not name a close question."""

from gapless.messages import inputs
from gapless.typings import ids

question = ids.InputNumber(7)
asked = inputs.CloseAsked(question=question)  # refused: arg-type, reportArgumentType
