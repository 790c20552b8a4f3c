"""A page that shows scores and errors in a browser, and documents in notebooks."""
