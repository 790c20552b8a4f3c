"""The version, in a module that loads nothing."""

__version__ = "0.1.0"
