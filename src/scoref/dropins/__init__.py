"""The official scorers' command lines and reports, to the letter."""
