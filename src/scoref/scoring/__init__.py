"""Scoring: `scoref.score`, `scoref.Evaluator`, folders, windows, slices, annotators."""
