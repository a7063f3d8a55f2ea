"""A view does not change, whoever holds it."""

from gapless.typings import states, view


def after(seen: view.SessionView, state: states.SessionState) -> bool:
    seen.state = state  # refused: misc, reportAttributeAccessIssue
    return True
