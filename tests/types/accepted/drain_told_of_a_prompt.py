"""The drain hears of deliveries from their owners, never of prompts."""

from gapless.messages import drain, inputs, moment


def part(at: moment.Moment, what: inputs.NotificationSettled) -> drain.DrainPart:
    return drain.DrainPart(moment=at, what=what)
