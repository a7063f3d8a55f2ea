"""A session is held by at least one hold."""

from gapless.typings import close, holds

hold = holds.ShellHold()
reading = close.Held(first=hold)
