"""Documents as trainers hold them: a list of them, with tensors and arrays in it."""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Number
from typing import TYPE_CHECKING, Any

from scoref.errors import AlignmentError, ScorefError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    from scoref.scoring.evaluator import Evaluator

Batch = Any
"""A list of documents, each a list of entities, each a list of mentions."""


def add_batch(evaluator: Evaluator, *, key: Batch, response: Batch) -> None:
    """Add the documents of a batch, which both sides have in the same order."""
    refuse_unequal(key, response)
    for key_side, response_side in zip(key, response, strict=True):
        evaluator.update(key=_entities(key_side), response=_entities(response_side))


def refuse_unequal(key: Sized, response: Sized) -> None:
    """See that both sides have the same number of documents."""
    if len(key) != len(response):
        raise AlignmentError(
            f"{_documents(len(response))} here, but {len(key)} in the key",
            source="response",
            hint="both sides have the same documents, in the same order",
        )


def _documents(count: int) -> str:
    return "1 document" if count == 1 else f"{count} documents"


def _entities(document: object) -> list[list[Hashable]]:
    return [
        [_mention(mention) for mention in _listed(entity)]
        for entity in _listed(document)
    ]


def _listed(value: object) -> Iterable[object]:
    """Make lists of tensors and arrays, which are equal to nobody but themselves."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(listed, list | tuple | set | frozenset):
        return listed
    raise _no_batch(f"found {value!r} where a list was expected")


def _mention(mention: object) -> Hashable:
    # A document that is given as if it were a batch has numbers here: it would be
    # scored, as something else.
    value = _plain(mention)
    if value is None or isinstance(value, Number):
        raise _no_batch(f"{value!r} is no mention")
    return value


def _plain(value: object) -> Hashable:
    """Make a mention, or a part of one, something that has equals."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(listed, list | tuple):
        return tuple(map(_plain, listed))
    if not isinstance(listed, Hashable):
        raise _no_batch(f"{listed!r} is no mention")
    return listed


def _no_batch(problem: str) -> ScorefError:
    return ScorefError(
        problem,
        hint="give a list of documents, each a list of entities, each a list of "
        "mentions such as [start, end]; one document is a list of one",
    )
