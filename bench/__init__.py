"""Measurements, each a question; run with ``make bench``."""
