"""Tools to test what is built with Gapless, and Gapless itself."""

from __future__ import annotations

from gapless.testing.story import Story

__all__ = ["Story"]
