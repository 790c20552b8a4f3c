"""Answers of large language models: aligned with the key's words, then scored."""
