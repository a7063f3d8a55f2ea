"""A session is unknown for at least one doubt."""

from gapless.typings import doubts, states

doubt = doubts.Unconfirmed()
state = states.Unknown(first=doubt)
