"""A threshold that does not exist cannot be set."""

from gapless.typings import settings

chosen = settings.Settings(child_lease=60_000)  # refused: call-arg, reportCallIssue
