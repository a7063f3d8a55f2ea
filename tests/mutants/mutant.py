"""One changed line of the source."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A rule, the line that holds it, what breaks it, and the test that must notice.

    ``says`` has to be among what that test says.
    """

    rule: str
    file: str
    line: str
    instead: str
    caught_by: str
    folder: str = "fold"
    says: str = ""
