"""Alignment of two versions of a text that are the same or nearly the same."""
