"""A model checker for actors: every state of a small scenario, and the shortest way to a wrong one.

The real actors run, on the stepped dispatcher and a clock that is moved by hand. What is public is
named in ``gapless.testing``.
"""
