"""Lazy loading, so that help, lists and completion are fast.

`np` is NumPy, which is imported when one of its names is first used. `names` does the
same for the public names of a package. A `pattern` is compiled when it is first used.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["names", "np", "pattern"]

if TYPE_CHECKING:
    import numpy as np

    pattern = re.compile
else:

    class _Numpy:
        def __getattr__(self, name: str) -> object:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)  # the next look-up is an ordinary one
            return found

    np = _Numpy()

    class pattern:  # noqa: N801 - a function for type checkers
        """A regular expression, with the methods of `re.Pattern`."""

        def __init__(self, text: str | bytes, flags: int = 0) -> None:
            self.pattern = text
            self._flags = flags

        def __getattr__(self, name: str) -> object:
            found = getattr(re.compile(self.pattern, self._flags), name)
            setattr(self, name, found)
            return found


def names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package, given each name's module."""

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get, lambda: sorted(homes)
