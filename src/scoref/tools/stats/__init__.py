"""Counts of what is in a file: documents, words, mentions and entities."""
