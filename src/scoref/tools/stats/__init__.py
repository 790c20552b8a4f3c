"""What is in a file, counted."""
