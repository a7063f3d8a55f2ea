"""A threshold that does not exist cannot be set."""

from gapless.typings import settings

chosen = settings.Settings(child_lease_ms=60_000)
