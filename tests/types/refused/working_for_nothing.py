"""A session works for at least one reason."""

from gapless.typings import states

state = states.Working()  # refused: call-arg, reportCallIssue
