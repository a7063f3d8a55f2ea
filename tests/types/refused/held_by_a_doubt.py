"""A doubt does not hold a session: it leaves it undetermined."""

from gapless.typings import close, doubts

doubt = doubts.Unconfirmed()
reading = close.Held(first=doubt)  # refused: arg-type, reportArgumentType
