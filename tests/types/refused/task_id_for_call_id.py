"""The id of a task does not name the call that launched it."""

from gapless.messages import inputs
from gapless.typings import ids

call = ids.TaskId("toolu_01")
ended = inputs.CallEnded(call=call)  # refused: arg-type, reportArgumentType
