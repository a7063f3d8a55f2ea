"""The fields of a struct are told by name, so that numbers cannot change places."""

from gapless.typings import settings

chosen = settings.Settings(owed_lease_ms=60_000)
