"""Nothing in a view can be put in the place of another."""

from gapless.typings import holds, view


def replaced(seen: view.SessionView, hold: holds.Hold) -> tuple[holds.Hold, ...]:
    return (hold, *seen.holds[1:])
