"""A page to look at scores and errors in a browser, and documents in notebooks."""
