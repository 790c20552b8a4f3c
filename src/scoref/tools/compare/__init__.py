"""Comparison of systems: the differences between them, and tests of significance."""
