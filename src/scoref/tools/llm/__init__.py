"""What large language models write: aligned with the key's words, then scored."""
