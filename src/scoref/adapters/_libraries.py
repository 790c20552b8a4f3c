"""Optional libraries: a missing one is reported with the command that installs it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoref.errors import OptionError

if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

_MISSING = {
    "evaluate": "this metric needs evaluate: pip install 'scoref[evaluate]'",
    "datasets": "this metric needs datasets: pip install 'scoref[evaluate]'",
    "inspect_ai": "this scorer needs inspect-ai: pip install 'scoref[inspect]'",
    "pyarrow": "columns need Arrow: pip install 'scoref[datasets]'",
    "torch": "this metric needs PyTorch: pip install 'scoref[torchmetrics]'",
    "torchmetrics": "this metric needs torchmetrics: "
    "pip install 'scoref[torchmetrics]'",
}


def load_library(name: str) -> ModuleType:
    """Load an optional library, or a module of one."""
    try:
        return import_module(name)
    except ImportError as error:
        raise OptionError(_MISSING[name.partition(".")[0]]) from error


def base_class(library: str, name: str) -> Any:  # noqa: ANN401 - a class of a library
    """Return a class of a library; if it is missing, one that cannot be created."""
    try:
        return getattr(load_library(library), name)
    except OptionError as error:
        missing = error

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OptionError(*missing.args) from missing.__cause__

    return type(name, (), {"__new__": refuse})
