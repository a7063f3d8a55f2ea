"""What one owner is told cannot be sent to another."""

from gapless.actors import step
from gapless.messages import drain, moment


def over(at: moment.Moment) -> step.Send:
    return step.ToDrain(message=drain.TurnOver(moment=at))
