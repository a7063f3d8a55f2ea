"""Gapless can stop no shell but those it started."""

from gapless.messages import effects
from gapless.typings import ids

number = ids.InputNumber(1)
shell = ids.ReportedId(owner="registry", task=ids.TaskId("bash_1"), life=1)
stop = effects.StopShell(number=number, shell=shell)  # refused: arg-type, reportArgumentType
