"""Which system is ahead under which conventions, and how stable that is."""
