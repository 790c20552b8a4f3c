"""Pages of the documentation, and lists of what there is."""
