"""A stand-in for platforms on which NumPy's default integer has 32 bits.

Under WebAssembly, ``np.arange(3)``, ``np.bincount(x)`` and their kin return integers of
32 bits, and a product of two of them wraps round without a warning. `narrowed` makes
NumPy's functions behave like that here: whatever has the default integer type becomes
an array of ``np.int32``, unless the caller names a type. Methods of arrays, such as
``x.cumsum()``, and scalars cannot be patched.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INDICES = (
    *("flatnonzero", "nonzero", "argsort", "lexsort", "searchsorted", "argwhere"),
    *("digitize", "bincount"),
)
"""Functions that return places or counts, whatever they are given."""
_MADE = ("arange", "array", "asarray", "full", "zeros", "ones", "empty", "fromiter")
"""Functions whose integers have the default type if nothing else was asked for."""
_SUMS = ("cumsum", "sum", "prod", "cumprod")
"""Functions that widen integers to the default type."""


def _narrow(found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(map(_narrow, found))
    is_array = isinstance(found, np.ndarray)
    return found.astype(np.int32) if is_array and found.dtype == np.intp else found


def _indices(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def narrowed(*given: Any, **options: Any) -> Any:
        return _narrow(function(*given, **options))

    return narrowed


def _made(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def narrowed(*given: Any, **options: Any) -> Any:
        found = function(*given, **options)
        types = [*given[1:], *options.values()]
        is_named = any(isinstance(each, type | np.dtype) for each in types)
        is_meant = any(each is int for each in types) or not is_named
        had_type = isinstance(given[0], np.ndarray) if given else False
        widest = np.iinfo(np.int32)
        if not is_meant or had_type or found.dtype != np.intp or not found.size:
            return found
        fits = widest.min <= found.min() and found.max() <= widest.max
        return _narrow(found) if fits else found

    return narrowed


def _summed(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def narrowed(values: Any, *given: Any, **options: Any) -> Any:
        array = np.asarray(values)
        is_wide = array.dtype.kind not in "bi" or array.dtype == np.int64
        if options.get("dtype") is not None or is_wide:
            return function(values, *given, **options)
        return function(values, *given, **options, dtype=np.int32)

    return narrowed


def _unique(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def narrowed(values: Any, *given: Any, **options: Any) -> Any:
        found = function(values, *given, **options)
        if not isinstance(found, tuple):
            return found
        return (found[0], *map(_narrow, found[1:]))  # values keep their type

    return narrowed


@contextmanager
def narrowed() -> Iterator[None]:
    """Make the default integer of NumPy's functions one of 32 bits."""
    kinds = [(_indices, _INDICES), (_made, _MADE), (_summed, _SUMS)]
    with ExitStack() as patches:
        for wrapper, names in [*kinds, (_unique, ("unique",))]:
            for name in names:
                function = wrapper(getattr(np, name))
                patches.enter_context(patch.object(np, name, function))
        yield
