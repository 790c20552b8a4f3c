"""A folder for each command: what it takes, what it does, what it shows.

A tool knows the road from files to results, and no other tool; the few exceptions are
written down in the import contracts of pyproject.toml.
"""
