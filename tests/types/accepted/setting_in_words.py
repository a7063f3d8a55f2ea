"""A threshold is a number of milliseconds, not a text with a unit."""

from gapless.typings import settings

chosen = settings.Settings(child_lease_ms=7_200_000)
