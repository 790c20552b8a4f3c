"""Columns of a `datasets.Dataset`, or of any table that Arrow can read.

    score_columns(dataset, key="clusters", response="predicted_clusters").conll

A row is a document. Its cell is a list of entities, an entity a list of mentions, and
a mention ``[start, end]``, or a struct, or a text. Arrow holds such columns flat:
lengths, and all mentions one behind the other. They are taken over as they are; no
Python object is made of an entity or a mention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.adapters._arrow import Nested, mention_numbers
from scoref.adapters._extras import extra
from scoref.errors import OptionError, ScorefError, unknown
from scoref.formats.entities import NAME as ENTITIES
from scoref.metrics import chosen
from scoref.model import Corpus, DocumentName
from scoref.options import taking_options
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.model import Ints
    from scoref.scheme import Options, Scheme
    from scoref.scoring.results import Result

    Arrow = Any
    Table = Any
    """A Dataset, a mapping of columns, an Arrow table, or a data frame."""

_BATCH = 1000


@taking_options
def score_columns(  # noqa: PLR0913 - one name for each choice, as in `scoref.score`
    dataset: Table,
    *,
    key: str = "clusters",
    response: str = "predicted_clusters",
    document: str | None = "doc_key",
    scheme: str | Scheme | None = None,
    metrics: str | Iterable[str] | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score a column of entities against another one.

    Args:
        dataset: a ``Dataset``, in memory, on disk or streamed; a mapping from names to
            columns; an Arrow table, or what Arrow makes one of, such as a data frame.
        key: the column of what the annotators said.
        response: the column of what the system said.
        document: the column of documents' names, each in one row; if None, documents
            go by the numbers of their rows.
        scheme: a set-up by name, such as ``conll-2012``.
        metrics: names of metrics; all if not given.
        options: conventions such as ``singletons``, as in `scoref.score`.
    """
    conventions = resolve(scheme, **options)
    wanted = chosen(metrics)
    if key == response:
        raise OptionError(
            f"column '{key}' was given as the key and as the response",
            hint="response= names the column of the system's entities",
        )
    columns = [key, response] if document is None else [key, response, document]
    table = _arrow_table(dataset, columns)
    names = _names(table, document)
    key_side = Nested.of(table.column(key), key, names)
    response_side = Nested.of(table.column(response), response, names)
    numbers = mention_numbers(key_side, response_side)
    return score_corpora(
        _corpus(key_side, numbers[0]),
        _corpus(response_side, numbers[1]),
        conventions,
        wanted,
    )


def _arrow_table(dataset: Table, columns: list[str]) -> Arrow:
    """Take the columns that are asked for, in the form that Arrow has."""
    arrow = extra("pyarrow")
    if isinstance(dataset, Mapping):
        _refuse_splits(dataset)
        _check(dataset, columns)
        return _of_columns(dataset, columns)
    if hasattr(dataset, "with_format"):
        return _of_dataset(dataset, columns)
    table = dataset if isinstance(dataset, arrow.Table) else _converted(dataset)
    _check(table.column_names, columns)
    return table.select(columns)


def _of_dataset(dataset: Table, columns: list[str]) -> Arrow:
    # A streamed dataset may not know its columns before its first row.
    _check(dataset.column_names or columns, columns)
    chosen_columns = dataset.select_columns(columns).with_format("arrow")
    if hasattr(dataset, "__len__"):
        return chosen_columns[:]
    batches = list(chosen_columns.iter(batch_size=_BATCH))
    if not batches:
        raise ScorefError("there is nothing to score: the dataset has no rows")
    return extra("pyarrow").concat_tables(batches)


def _converted(dataset: Table) -> Arrow:
    try:
        return extra("pyarrow").table(dataset)
    except (TypeError, ValueError) as error:
        raise OptionError(
            f"Arrow makes no table of this {type(dataset).__name__}: {error}",
            hint="give a Dataset, a mapping of columns, an Arrow table or a frame",
        ) from error


def _of_columns(dataset: Mapping[str, Any], columns: list[str]) -> Arrow:
    arrow = extra("pyarrow")
    try:
        return arrow.table({name: _column(dataset[name]) for name in columns})
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise ScorefError(
            f"these are no columns of entities: {error}",
            hint="give a list of entities for each document, an entity as a list of "
            "mentions such as [start, end]",
        ) from error


def _column(values: object) -> Arrow:
    arrow = extra("pyarrow")
    is_arrow = isinstance(values, arrow.Array | arrow.ChunkedArray)
    return values if is_arrow else arrow.array(values)


def _refuse_splits(dataset: Mapping[str, object]) -> None:
    splits = [name for name, each in dataset.items() if hasattr(each, "with_format")]
    if splits:
        raise OptionError(
            f"this is a dataset with splits ({', '.join(map(str, splits))})",
            hint=f"choose one, such as dataset['{splits[-1]}']",
        )


def _check(found: Iterable[str], wanted: list[str]) -> None:
    known = list(found)
    for name in wanted:
        if name not in known:
            raise unknown("column", name, known)


def _names(table: Arrow, document: str | None) -> tuple[str, ...]:
    if not table.num_rows:
        raise ScorefError("there is nothing to score: the table has no rows")
    if document is None:
        return tuple(map(str, range(table.num_rows)))
    column = table.column(document)
    if column.null_count:
        raise ScorefError(f"column '{document}' has rows without a name")
    names = tuple(map(str, column.to_pylist()))
    again = next((name for name, times in Counter(names).items() if times > 1), None)
    if again is not None:
        raise ScorefError(
            f"document '{again}' stands in two rows of column '{document}'",
            hint="a row is a document; document=None calls them by their numbers",
        )
    return names


def _corpus(side: Nested, numbers: Ints) -> Corpus:
    """Write down one side; a mention is a number, the same on both sides."""
    documents, entities = len(side.names), len(side.mentions)
    first = np.cumsum(side.entities) - side.entities
    label = np.arange(entities) - np.repeat(first, side.entities)
    return Corpus(
        source=side.column,
        format=ENTITIES,
        documents=tuple(map(DocumentName.plain, side.names)),
        document_tokens=None,
        document_line=np.zeros(documents, dtype=np.int64),
        entity_document=np.repeat(np.arange(documents), side.entities),
        entity_label=tuple(map(str, label.tolist())),
        mention_entity=np.repeat(np.arange(entities), side.mentions),
        mention_start=numbers,
        mention_end=numbers,
        mention_line=np.zeros(len(numbers), dtype=np.int64),
        has_labels=False,
    )
