"""Gapless can stop no shell but those it started."""

from gapless.messages import effects
from gapless.typings import ids

number = ids.InputNumber(1)
shell = ids.ManagedId(incarnation=1, counter=1)
stop = effects.StopShell(number=number, shell=shell)
