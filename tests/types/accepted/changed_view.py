"""A view does not change, whoever holds it."""

from gapless.typings import states, view


def after(seen: view.SessionView, state: states.SessionState) -> bool:
    return seen.state == state
