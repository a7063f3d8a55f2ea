"""A session's id does not name a prompt."""

from gapless.messages import inputs
from gapless.typings import ids

name = ids.SessionId("7b1e")
submitted = inputs.PromptSubmitted(prompt=name)  # refused: arg-type, reportArgumentType
