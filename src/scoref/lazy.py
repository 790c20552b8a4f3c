"""NumPy, loaded when it is first used.

What there is to ask for, metrics among it, is known without it, so that help, lists
and completion answer at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        def __getattr__(self, name: str) -> object:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)  # the next look-up is an ordinary one
            return found

    np = _Numpy()
