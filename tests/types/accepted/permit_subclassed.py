"""There is no other kind of permit."""

from gapless.typings import close


class Mine:
    """What a host keeps."""

    permit: close.ClosePermit
