"""A text does not name a task."""

from gapless.messages import inputs
from gapless.typings import ids

call = ids.CallId("toolu_01")
ended = inputs.CallEnded(call=call, agent=ids.TaskId("a1b2"))
