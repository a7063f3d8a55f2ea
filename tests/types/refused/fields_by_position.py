"""The fields of a struct are told by name, so that numbers cannot change places."""

from gapless.typings import settings

chosen = settings.Settings(60_000)  # refused: call-arg, reportCallIssue
