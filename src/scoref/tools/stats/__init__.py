"""The command `scoref stats`: counts of what is in a file."""
