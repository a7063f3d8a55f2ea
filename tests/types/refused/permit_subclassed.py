"""There is no other kind of permit."""

from gapless.typings import close


class Mine(close.ClosePermit):  # refused: misc, reportGeneralTypeIssues
    """What a host keeps."""

    permit: close.ClosePermit
