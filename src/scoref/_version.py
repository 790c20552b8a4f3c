"""The version of scoref, in a module that imports nothing."""

__version__ = "1.0.0"
