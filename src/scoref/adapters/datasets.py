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

from scoref.adapters._common import load_library
from scoref.errors import AlignmentError, OptionError, ScorefError, unknown
from scoref.formats.entities import NAME as ENTITIES
from scoref.metrics import choose_metrics
from scoref.model import Corpus, DocumentName
from scoref.model.arrays import numbered, ranges, starts
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
        key: the column of the gold annotation.
        response: the column of the output of the system.
        document: the column of documents' names, each in one row; if None, documents
            go by the numbers of their rows.
        scheme: name of a scheme, such as ``conll-2012``.
        metrics: names of metrics; all if not given.
        options: conventions such as ``singletons``, as in `scoref.score`.
    """
    conventions = resolve(scheme, **options)
    wanted = choose_metrics(metrics)
    if key == response:
        raise OptionError(
            f"column '{key}' was given as the key and as the response",
            hint="Use response= for the column of the system's entities.",
        )
    columns = [key, response] if document is None else [key, response, document]
    table = _arrow_table(dataset, columns)
    names = _document_names(table, document)
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
    """Return these columns as an Arrow table."""
    arrow = load_library("pyarrow")
    if isinstance(dataset, Mapping):
        return _table_of_mapping(dataset, columns)
    if hasattr(dataset, "with_format"):
        return _table_of_dataset(dataset, columns)
    table = dataset
    if not isinstance(dataset, arrow.Table):
        try:
            table = arrow.table(dataset)
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"Arrow cannot make a table of this {type(dataset).__name__}: {error}",
                hint="Give a Dataset, a mapping of columns, an Arrow table or a frame.",
            ) from error
    _check_columns(table.column_names, columns)
    return table.select(columns)


def _table_of_mapping(dataset: Mapping[str, Any], columns: list[str]) -> Arrow:
    splits = [name for name, value in dataset.items() if hasattr(value, "with_format")]
    if splits:
        raise OptionError(
            f"this is a dataset with splits ({', '.join(map(str, splits))})",
            hint=f"Choose one, such as dataset['{splits[-1]}'].",
        )
    _check_columns(dataset, columns)
    arrow = load_library("pyarrow")
    kinds = arrow.Array | arrow.ChunkedArray
    try:
        arrays = {
            name: values if isinstance(values, kinds) else arrow.array(values)
            for name in columns
            for values in [dataset[name]]
        }
        return arrow.table(arrays)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise ScorefError(
            f"these are not columns of entities: {error}",
            hint="Give a list of entities for each document. An entity is a list of "
            "mentions such as [start, end].",
        ) from error


_BATCH = 1000


def _table_of_dataset(dataset: Table, columns: list[str]) -> Arrow:
    # A streamed dataset may not know its columns before its first row.
    _check_columns(dataset.column_names or columns, columns)
    chosen_columns = dataset.select_columns(columns).with_format("arrow")
    if hasattr(dataset, "__len__"):
        return chosen_columns[:]
    batches = list(chosen_columns.iter(batch_size=_BATCH))
    if not batches:
        raise ScorefError("there is nothing to score: the dataset has no rows")
    return load_library("pyarrow").concat_tables(batches)


def _check_columns(names: Iterable[str], wanted: list[str]) -> None:
    known = list(names)
    for name in wanted:
        if name not in known:
            raise unknown("column", name, known)


def _document_names(table: Arrow, document: str | None) -> tuple[str, ...]:
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
            f"document '{again}' is in two rows of column '{document}'",
            hint="A row is a document. Use document=None to name documents by number.",
        )
    return names


def _corpus(side: Nested, numbers: Ints) -> Corpus:
    """Make a corpus of one side; equal mentions of both sides have equal numbers."""
    documents, entities = len(side.names), len(side.mentions)
    label = ranges(np.zeros_like(side.entities), side.entities)
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
    "A row is a list of entities, an entity is a list of mentions, and a mention is "
    "[start, end], a struct or a text."
)


class Nested(NamedTuple):
    """A column of documents without its two outer levels of lists.

    ``entities`` has the number of entities of each document, ``mentions`` the number of
    mentions of each entity. ``chunks`` are all mentions, in Arrow's chunks.
    """

    column: str
    names: Sequence[str]
    entities: Ints
    mentions: Ints
    chunks: tuple[Arrow, ...]

    @classmethod
    def of(cls, values: Arrow, column: str, names: Sequence[str]) -> Nested:
        """Flatten a column; an entity or a mention that is null is refused."""
        _check_type(values.type, column)
        pieces, row = [], 0
        for chunk in values.chunks:
            pieces.append(_flatten(chunk, column, names[row : row + len(chunk)]))
            row += len(chunk)
        entities, mentions, chunks = zip(*pieces, strict=True)
        return cls(
            column, names, np.concatenate(entities), np.concatenate(mentions), chunks
        )

    @property
    def nonempty(self) -> list[Arrow]:
        """The chunks with mentions."""
        return [chunk for chunk in self.chunks if len(chunk)]

    @property
    def kind(self) -> str | None:
        """The kind of mentions, None if there is no mention."""
        if not self.nonempty:
            return None
        arrow_type = self.nonempty[0].type
        kind = _kind_of_mention(arrow_type)
        if kind is None:
            problem = f"mentions in column '{self.column}' are {arrow_type}"
            raise ScorefError(problem, hint=_EXPECTED)
        return kind


def mention_numbers(key: Nested, response: Nested) -> tuple[Ints, Ints]:
    """Number mentions; equal mentions of both sides have the same number."""
    kinds = key.kind, response.kind
    if None not in kinds and kinds[0] != kinds[1]:
        raise AlignmentError(
            f"mentions are {kinds[1]} here, but {kinds[0]} in {key.column}",
            source=response.column,
            hint="The same mention must have the same value on both sides.",
        )
    chunks = [*key.nonempty, *response.nonempty]
    number = _number_rows(_parts(chunks)) if chunks else np.zeros(0, dtype=np.int64)
    key_count = int(key.mentions.sum())
    return number[:key_count], number[key_count:]


_MOST = 2**62


def _number_rows(parts: list[Ints]) -> Ints:
    """Number rows from 0; rows that are equal in all parts have equal numbers."""
    code, width = parts[0], int(parts[0].max()) + 1
    for part in parts[1:]:
        values = int(part.max()) + 1
        if width * values > _MOST:
            code, width = numbered(code)
        code, width = code * np.int64(values) + part, width * values
    return numbered(code)[0]


_LEVELS = (
    "nothing (use an empty list for no entities)",
    "an entity that is null",
    "a mention that is null",
    "a mention with a part that is null",
)


def _flatten(
    chunk: Arrow, column: str, names: Sequence[str]
) -> tuple[Ints, Ints, Arrow]:
    """Return the sizes of documents, the sizes of entities, and all mentions."""
    counts: list[Ints] = []
    inner = chunk
    for _ in range(2):
        _refuse_null(inner, counts, column, names)
        lengths, inner = _open(inner)
        counts.append(lengths)
    for part in (inner, *_children(inner, counts)):
        _refuse_null(part, counts[: 2 + (part is not inner)], column, names)
    return counts[0], counts[1], inner


def _children(mentions: Arrow, counts: list[Ints]) -> list[Arrow]:
    """Return the parts of mentions, and add the number of parts of each mention."""
    if mentions.null_count:
        return []
    if _is_list(mentions.type):
        lengths, inner = _open(mentions)
        counts.append(lengths)
        return [inner]
    if load_library("pyarrow").types.is_struct(mentions.type):
        counts.append(np.ones(len(mentions), dtype=np.int64))
        return list(mentions.flatten())
    return []


def _open(array: Arrow) -> tuple[Ints, Arrow]:
    """Return the length of each list, and the elements of all lists."""
    if not _is_list(array.type):  # a column of nulls, without any element
        return np.zeros(len(array), dtype=np.int64), array
    lengths = load_library("pyarrow.compute").list_value_length(array)
    return _numpy(lengths), array.flatten()


def _refuse_null(
    array: Arrow, counts: list[Ints], column: str, names: Sequence[str]
) -> None:
    """Refuse an array with null, and name the document of the first one."""
    if not array.null_count:
        return
    place = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
    for lengths in reversed(counts):
        place = int(np.searchsorted(np.cumsum(lengths), place, side="right"))
    raise ScorefError(
        f"column '{column}' has, for document '{names[place]}', {_LEVELS[len(counts)]}"
    )


def _check_type(arrow_type: Arrow, column: str) -> None:
    types = load_library("pyarrow").types
    inner = arrow_type
    for _ in range(2):
        if types.is_null(inner):
            return
        if not _is_list(inner):
            raise ScorefError(f"column '{column}' is {arrow_type}", hint=_EXPECTED)
        inner = inner.value_type


def _is_list(arrow_type: Arrow) -> bool:
    arrow = load_library("pyarrow")
    kinds = arrow.ListType, arrow.LargeListType, arrow.FixedSizeListType
    return isinstance(arrow_type, kinds)


def _kind_of_mention(arrow_type: Arrow) -> str | None:
    """Return the kind of mentions of this type, None if mentions cannot have it."""
    types = load_library("pyarrow").types
    if _is_list(arrow_type):
        inner = _kind_of_value(arrow_type.value_type)
        return inner and f"lists of {inner}"
    if types.is_struct(arrow_type):
        fields = [arrow_type.field(place) for place in range(arrow_type.num_fields)]
        parts = [(field.name, _kind_of_value(field.type)) for field in fields]
        if not all(kind for _, kind in parts):
            return None
        return f"structs of {', '.join(f'{name}: {kind}' for name, kind in parts)}"
    # If a column has lists of mentions instead of lists of entities, these are offsets.
    # They could be scored, but the figure would be wrong.
    kind = _kind_of_value(arrow_type)
    return None if kind == "numbers" else kind


def _kind_of_value(arrow_type: Arrow) -> str | None:
    types = load_library("pyarrow").types
    value = arrow_type.value_type if types.is_dictionary(arrow_type) else arrow_type
    if types.is_integer(value):
        return "numbers"
    is_text = types.is_string(value) or types.is_large_string(value)
    return "texts" if is_text or str(value) == "string_view" else None


def _parts(chunks: list[Arrow]) -> list[Ints]:
    """Return columns of numbers; mentions are equal if all their parts are equal."""
    arrow_type = chunks[0].type
    if _is_list(arrow_type):
        return _parts_of_lists(chunks)
    if load_library("pyarrow").types.is_struct(arrow_type):
        fields = zip(*(chunk.flatten() for chunk in chunks), strict=True)
        return [_codes(list(field)) for field in fields]
    return [_codes(chunks)]


def _parts_of_lists(chunks: list[Arrow]) -> list[Ints]:
    """Return the length of each list, its first value, its second value and so on."""
    opened = [_open(chunk) for chunk in chunks]
    length = np.concatenate([lengths for lengths, _ in opened])
    # An additional value at the end stands for values that a list does not have.
    value = np.append(_codes([inner for _, inner in opened]), 0)
    start = starts(length)
    parts = [length]
    for place in range(int(length.max())):
        is_there = place < length
        parts.append(value[np.where(is_there, start + place, len(value) - 1)])
    return parts


_SMALL = 2**31


def _codes(chunks: list[Arrow]) -> Ints:
    """Return numbers that are not negative, the same for equal values."""
    arrow = load_library("pyarrow")
    if _kind_of_value(chunks[0].type) == "numbers":
        values = np.concatenate([_numpy(chunk) for chunk in chunks])
        is_small = values.min(initial=0) >= 0 and values.max(initial=0) < _SMALL
        return values if is_small else numbered(values)[0]
    texts = arrow.chunked_array([chunk.cast(arrow.large_string()) for chunk in chunks])
    encoded = texts.combine_chunks().dictionary_encode()
    return _numpy(encoded.indices)


def _numpy(array: Arrow) -> Ints:
    arrow = load_library("pyarrow")
    if arrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.int64)
