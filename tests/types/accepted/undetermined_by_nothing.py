"""A close is undetermined for at least one doubt."""

from gapless.typings import close, doubts

doubt = doubts.OwnerGone()
reading = close.Undetermined(first=doubt)
