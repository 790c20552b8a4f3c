"""Scores for Codabench and CodaLab: files that boards read, and bundles."""
