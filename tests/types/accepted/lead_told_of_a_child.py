"""What a child does has no part for the lead (G4)."""

from gapless.messages import inputs, lead, moment, roster


def part(at: moment.Moment, what: inputs.TaskStarted) -> lead.LeadPart | roster.RosterPart:
    return roster.RosterPart(moment=at, what=what)
