"""Conventions as options: what functions take, and the command line.

Type checkers know them by `scoref.scheme.Options`; here are their names at run time.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from scoref.scheme import CONVENTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def option_names() -> list[str]:
    """List the choices that are options, in Python and on the command line."""
    return [name for name, each in CONVENTIONS.items() if each.option]


def taking_options(
    function: Callable[Parameters, Returned],
) -> Callable[Parameters, Returned]:
    """Let the ``**options`` of a function be conventions, and nothing else.

    `help` and notebooks, which cannot see types, are told their names.
    """
    *own, _ = inspect.signature(function).parameters.values()
    names = {each.name for each in own}

    @functools.wraps(function)
    def checked(*given: Parameters.args, **options: Parameters.kwargs) -> Returned:
        for name in options:
            if name not in names and name not in option_names():
                called = f"{function.__qualname__}()"
                raise TypeError(f"{called} got an unexpected keyword argument '{name}'")
        return function(*given, **options)

    vars(checked)["__signature__"] = _named(function)
    return checked


def _named(function: Callable[..., object]) -> inspect.Signature:
    signature = inspect.signature(function)
    *own, _ = signature.parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in option_names()
    ]
    return signature.replace(parameters=[*own, *options])
