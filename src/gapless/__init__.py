"""Tell what a coding agent's session is doing, whether it may be closed, and whether it is stuck.

So far this is the foundation: the types of the answers (``gapless.typings``), the inputs they rest
on (``gapless.messages``), and the fold from the one to the other (``gapless.actors``).
"""
