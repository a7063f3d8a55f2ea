"""Why a session ended is one of the causes there are, not any text."""

from gapless.typings import states

cause = states.EndCause.CLOSED
ended = states.Ended(cause="closed")  # refused: arg-type, reportArgumentType
