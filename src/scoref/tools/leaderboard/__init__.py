"""Scores for Codabench and CodaLab: what their workers read, and a bundle for them."""
