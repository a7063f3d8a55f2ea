"""``gapless replay``: let recorded sessions happen again, and see what they were."""
