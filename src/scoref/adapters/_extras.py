"""The libraries that adapters are for, and what to install where one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError

if TYPE_CHECKING:
    from types import ModuleType

_NEEDED = {
    "evaluate": "this metric needs evaluate: pip install 'scoref[evaluate]'",
    "datasets": "this metric needs datasets: pip install 'scoref[evaluate]'",
    "inspect_ai": "this scorer needs inspect-ai: pip install 'scoref[inspect]'",
    "pyarrow": "columns need Arrow: pip install 'scoref[datasets]'",
    "torch": "this metric needs PyTorch: pip install 'scoref[torchmetrics]'",
    "torchmetrics": "this metric needs torchmetrics: "
    "pip install 'scoref[torchmetrics]'",
}


def extra(name: str) -> ModuleType:
    """Load such a library, or a module of one."""
    try:
        return import_module(name)
    except ImportError as error:
        raise OptionError(_NEEDED[name.partition(".")[0]]) from error


def base(library: str, name: str) -> Any:  # noqa: ANN401 - a class of a library
    """Find the class to build on; where it is missing, one that says so when used."""
    try:
        return getattr(extra(library), name)
    except OptionError as missing:
        return type(name, (), {"__new__": _refusing(missing)})


def _refusing(missing: OptionError) -> object:
    def refuse(*_: object, **__: object) -> None:
        raise OptionError(*missing.args) from missing.__cause__

    return refuse
