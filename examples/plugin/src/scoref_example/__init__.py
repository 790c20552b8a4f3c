"""A metric and a format for scoref."""
