"""Comparison of systems: differences, tests of significance, and the multiverse.

`scoref compare` tests differences under one set of conventions. With
`--multiverse`, it ranks systems under every set of conventions.
"""
