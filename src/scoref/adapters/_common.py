"""Code that the adapters share: optional libraries, and batches of documents.

A library that is not installed is reported with the command that installs it. Batches
may contain tensors and arrays, as trainers hold them.
"""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module
from numbers import Number
from typing import TYPE_CHECKING, Any

from scoref.errors import (
    AlignmentError,
    OptionError,
    ScorefError,
    missing_extra,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized
    from types import ModuleType
    from typing import NoReturn

    from scoref.scoring.evaluator import Evaluator


_MISSING = {
    "evaluate": ("this metric needs evaluate", "evaluate"),
    "datasets": ("this metric needs datasets", "evaluate"),
    "inspect_ai": ("this scorer needs inspect-ai", "inspect"),
    "pyarrow": ("columns need Arrow", "datasets"),
    "torch": ("this metric needs PyTorch", "torchmetrics"),
    "torchmetrics": ("this metric needs torchmetrics", "torchmetrics"),
}


def load_library(name: str) -> ModuleType:
    """Load an optional library, or a module of one."""
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_extra(*_MISSING[name.partition(".")[0]]) from error


def base_class(library: str, name: str) -> Any:
    """Return a class of a library; if it is missing, one that cannot be created."""
    try:
        return getattr(load_library(library), name)
    except OptionError as error:
        missing = error

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OptionError(missing.problem, hint=missing.hint) from missing.__cause__

    return type(name, (), {"__new__": refuse})


Batch = Any
"""A list of documents, each a list of entities, each a list of mentions."""


def add_batch(evaluator: Evaluator, *, key: Batch, response: Batch) -> None:
    """Add the documents of a batch, which both sides have in the same order."""
    refuse_unequal(key, response)
    for key_side, response_side in zip(key, response, strict=True):
        evaluator.update(key=_entities(key_side), response=_entities(response_side))


def refuse_unequal(key: Sized, response: Sized) -> None:
    """Refuse sides with different numbers of documents."""
    count = len(response)
    if len(key) != count:
        documents = "1 document" if count == 1 else f"{count} documents"
        raise AlignmentError(
            f"{documents} here, but {len(key)} in the key",
            source="response",
            hint="Both sides must have the same documents in the same order.",
        )


def _entities(document: object) -> list[list[Hashable]]:
    entities = []
    for entity in _list(document):
        mentions = []
        for mention in _list(entity):
            value = _value(mention)
            # If a document is given instead of a batch, offsets are in the place of
            # mentions. They could be scored, but the figure would be wrong.
            if value is None or isinstance(value, Number):
                raise _batch_error(f"{value!r} is not a mention")
            mentions.append(value)
        entities.append(mentions)
    return entities


def _list(value: object) -> Iterable[object]:
    """Return a list or an array as a list."""
    elements = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(elements, list | tuple | set | frozenset):
        return elements
    raise _batch_error(f"expected a list, found {value!r}")


def _value(value: object) -> Hashable:
    """Turn a mention, or a part of one, into a value that can be compared."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, list | tuple):
        return tuple(map(_value, plain))
    if not isinstance(plain, Hashable):
        raise _batch_error(f"{plain!r} is not a mention")
    return plain


def _batch_error(problem: str) -> ScorefError:
    return ScorefError(
        problem,
        hint="Give a list of documents, each a list of entities, each a list of "
        "mentions such as [start, end]. For one document, give a list of one.",
    )
