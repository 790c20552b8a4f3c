"""Scores for columns of a `datasets.Dataset`, or of any table that Arrow can read.

    score_columns(dataset, key="clusters", response="predicted_clusters").conll

A row is a document. Its cell is a list of entities, an entity is a list of mentions,
and a mention is ``[start, end]``, a struct, or a text. Arrow stores such nested lists
flat, as lengths followed by all mentions in a row. scoref uses these arrays directly,
without a Python object for each entity or mention.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.adapters._common import extra
from scoref.errors import AlignmentError, OptionError, ScorefError, unknown
from scoref.formats.entities import NAME as ENTITIES
from scoref.metrics import choose_metrics
from scoref.model import Corpus, DocumentName
from scoref.scheme import taking_options
from scoref.schemes import resolve
from scoref.scoring.pipeline import score_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Unpack

    from scoref.model import Ints
    from scoref.scheme import Options, Scheme
    from scoref.scoring.results import Result

    Arrow = Any
    Table = Any
    """A Dataset, a mapping of columns, an Arrow table, or a data frame."""


_BATCH = 1000


@taking_options
def score_columns(
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
    wanted = choose_metrics(metrics)
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


_EXPECTED = (
    "a row is a list of entities, an entity a list of mentions, and a mention "
    "[start, end], a struct or a text"
)

_MOST = 2**62

_SMALL = 2**31

_LEVELS = (
    "nothing (an empty list says: no entities)",
    "an entity that is null",
    "a mention that is null",
    "a mention with a part that is null",
)


class Nested(NamedTuple):
    """A column of documents, opened twice.

    ``entities`` counts those of each document, ``mentions`` those of each entity.
    ``chunks`` are all mentions, in the pieces in which Arrow has them.
    """

    column: str
    names: Sequence[str]
    entities: Ints
    mentions: Ints
    chunks: tuple[Arrow, ...]

    @classmethod
    def of(cls, values: Arrow, column: str, names: Sequence[str]) -> Nested:
        """Open a column; an entity or a mention that is null is refused."""
        _check_type(values.type, column)
        pieces, row = [], 0
        for chunk in values.chunks:
            pieces.append(_opened(chunk, column, names[row : row + len(chunk)]))
            row += len(chunk)
        entities, mentions, chunks = zip(*pieces, strict=True)
        return cls(
            column, names, np.concatenate(entities), np.concatenate(mentions), chunks
        )

    @property
    def filled(self) -> list[Arrow]:
        """Give the pieces in which there are mentions."""
        return [chunk for chunk in self.chunks if len(chunk)]

    @property
    def kind(self) -> str | None:
        """Say what mentions are, None where there is none."""
        if not self.filled:
            return None
        found = self.filled[0].type
        kind = _kind_of_mention(found)
        if kind is None:
            problem = f"mentions in column '{self.column}' are {found}"
            raise ScorefError(problem, hint=_EXPECTED)
        return kind


def mention_numbers(key: Nested, response: Nested) -> tuple[Ints, Ints]:
    """Give equal mentions of both sides the same number."""
    kinds = key.kind, response.kind
    if None not in kinds and kinds[0] != kinds[1]:
        raise AlignmentError(
            f"mentions are {kinds[1]} here, but {kinds[0]} in {key.column}",
            source=response.column,
            hint="a mention that both sides have must be the same value on both",
        )
    chunks = [*key.filled, *response.filled]
    numbers = _joined(_parts(chunks)) if chunks else np.zeros(0, dtype=np.int64)
    cut = int(key.mentions.sum())
    return numbers[:cut], numbers[cut:]


def _joined(parts: list[Ints]) -> Ints:
    """Number rows from 0; rows that are equal in all parts have equal numbers."""
    codes, width = parts[0], int(parts[0].max()) + 1
    for part in parts[1:]:
        values = int(part.max()) + 1
        if width * values > _MOST:
            codes = _ranked(codes)
            width = len(codes)
        codes, width = codes * np.int64(values) + part, width * values
    return _ranked(codes)


def _ranked(values: Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1]


def _opened(
    chunk: Arrow, column: str, names: Sequence[str]
) -> tuple[Ints, Ints, Arrow]:
    """Count the entities of each document, and the mentions of each entity."""
    counts: list[Ints] = []
    inner = chunk
    for _ in range(2):
        _refuse_gaps(inner, counts, column, names)
        lengths, inner = _open(inner)
        counts.append(lengths)
    for part in (inner, *_children(inner, counts)):
        _refuse_gaps(part, counts[: 2 + (part is not inner)], column, names)
    return counts[0], counts[1], inner


def _children(mentions: Arrow, counts: list[Ints]) -> list[Arrow]:
    """Give what mentions are made of, and count it where that may differ."""
    if mentions.null_count:
        return []
    if _is_list(mentions.type):
        lengths, inner = _open(mentions)
        counts.append(lengths)
        return [inner]
    if extra("pyarrow").types.is_struct(mentions.type):
        counts.append(np.ones(len(mentions), dtype=np.int64))
        return list(mentions.flatten())
    return []


def _open(array: Arrow) -> tuple[Ints, Arrow]:
    """Take the brackets off: the length of each list, and what is in them."""
    if not _is_list(array.type):  # no list, and nothing to put into one
        return np.zeros(len(array), dtype=np.int64), array
    lengths = extra("pyarrow.compute").list_value_length(array)
    return _numpy(lengths), array.flatten()


def _refuse_gaps(
    array: Arrow, counts: list[Ints], column: str, names: Sequence[str]
) -> None:
    """Refuse what is null, and say in which document it is."""
    if not array.null_count:
        return
    place = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
    for lengths in reversed(counts):
        place = int(np.searchsorted(np.cumsum(lengths), place, side="right"))
    raise ScorefError(
        f"column '{column}' has, for document '{names[place]}', {_LEVELS[len(counts)]}"
    )


def _check_type(found: Arrow, column: str) -> None:
    types = extra("pyarrow").types
    inner = found
    for _ in range(2):
        if types.is_null(inner):
            return
        if not _is_list(inner):
            raise ScorefError(f"column '{column}' is {found}", hint=_EXPECTED)
        inner = inner.value_type


def _is_list(found: Arrow) -> bool:
    arrow = extra("pyarrow")
    kinds = arrow.ListType, arrow.LargeListType, arrow.FixedSizeListType
    return isinstance(found, kinds)


def _kind_of_mention(found: Arrow) -> str | None:
    """Say what mentions of a type are, None if they cannot be any."""
    types = extra("pyarrow").types
    if _is_list(found):
        inner = _kind_of_value(found.value_type)
        return inner and f"lists of {inner}"
    if types.is_struct(found):
        fields = [found.field(place) for place in range(found.num_fields)]
        parts = [(field.name, _kind_of_value(field.type)) for field in fields]
        if not all(kind for _, kind in parts):
            return None
        return f"structs of {', '.join(f'{name}: {kind}' for name, kind in parts)}"
    # A list of mentions where a list of entities should be has numbers here: it would
    # be scored, as something else.
    kind = _kind_of_value(found)
    return None if kind == "numbers" else kind


def _kind_of_value(found: Arrow) -> str | None:
    types = extra("pyarrow").types
    value = found.value_type if types.is_dictionary(found) else found
    if types.is_integer(value):
        return "numbers"
    is_text = types.is_string(value) or types.is_large_string(value)
    return "texts" if is_text or str(value) == "string_view" else None


def _parts(chunks: list[Arrow]) -> list[Ints]:
    """Take mentions apart into columns of numbers: equal parts, equal mentions."""
    found = chunks[0].type
    if _is_list(found):
        return _of_lists(chunks)
    if extra("pyarrow").types.is_struct(found):
        fields = zip(*(chunk.flatten() for chunk in chunks), strict=True)
        return [_codes(list(field)) for field in fields]
    return [_codes(chunks)]


def _of_lists(chunks: list[Arrow]) -> list[Ints]:
    """Take lists apart: the length of each, its first value, its second one."""
    opened = [_open(chunk) for chunk in chunks]
    length = np.concatenate([lengths for lengths, _ in opened])
    # Behind the last value there is one more, for lists that end before it.
    value = np.append(_codes([inner for _, inner in opened]), 0)
    end = np.cumsum(length)
    parts = [length]
    for place in range(int(length.max())):
        is_there = place < length
        parts.append(value[np.where(is_there, end - length + place, len(value) - 1)])
    return parts


def _codes(chunks: list[Arrow]) -> Ints:
    """Make small numbers of values; equal values have equal numbers."""
    arrow = extra("pyarrow")
    if _kind_of_value(chunks[0].type) == "numbers":
        values = np.concatenate([_numpy(chunk) for chunk in chunks])
        is_small = values.min(initial=0) >= 0 and values.max(initial=0) < _SMALL
        return values if is_small else _ranked(values)
    texts = arrow.chunked_array([chunk.cast(arrow.large_string()) for chunk in chunks])
    encoded = texts.combine_chunks().dictionary_encode()
    return _numpy(encoded.indices)


def _numpy(array: Arrow) -> Ints:
    arrow = extra("pyarrow")
    if arrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.int64)
