"""Ids of records and clusters: how values become text, and which ones are missing.

Ids are compared as text: 7 and "7" are the same, "007" is another id. NULL, NaN and the
empty text are not ids. A whole number is written without a fraction even if it is a
float, because integers become floats in a column with gaps. Other floats are written as
the engine writes them, and equal only themselves. In a column of clusters, some words
(called null words here) mean that a record is not clustered; it may have such a word as
its id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from scoref.lazy import np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from numpy.typing import NDArray

    from scoref.model import Ints

    Kind = Literal["integer", "text", "real", "json", "other"]
    Values = Sequence[object] | NDArray[np.generic]


NULL_WORDS = ("nan", "na", "n/a", "<na>", "null", "none", "-1", "-1.0")
"""Clusters that mean "not clustered", in small letters; case does not matter.

-1 is what DBSCAN and HDBSCAN call noise. Dicts and lists use None instead, so there
these words are names of clusters.
"""

_EXACT = 2**53  # floats below have no rounding error


@dataclass(frozen=True, slots=True)
class EngineColumn:
    """A column of a table in an engine, and how its ids become text.

    ``has_null_words`` says whether null words mean "not clustered" in this column, and
    ``has_gaps`` whether ids may be missing.
    """

    name: str
    kind: Kind
    has_null_words: bool = True
    null_words: tuple[str, ...] = NULL_WORDS
    has_gaps: bool = True

    def sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write the SQL of its ids, as text or as they are; a missing id is NULL."""
        name = f"{quote}{self.name.replace(quote, quote * 2)}{quote}"
        if self.kind == "integer":
            return f"CAST({name} AS STRING)" if as_text else name
        if self.kind == "text":
            return f"nullif({name}, '')" if self.has_gaps else name
        if self.kind == "real":
            return _real_sql(name)
        if self.kind == "json":
            real = _real_sql(f"CAST({name} AS DOUBLE)")
            other = f"nullif({name} ->> '$', '')"
            return (
                f"CASE WHEN json_type({name}) = 'DOUBLE' AND NOT "
                f"regexp_full_match({name} ->> '$', '-?[0-9]+') "
                f"THEN {real} ELSE {other} END"
            )
        return f"nullif(CAST({name} AS STRING), '')"

    def cluster_sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write the SQL of its ids as clusters; NULL means "not clustered"."""
        sql = self.sql(quote, as_text=as_text)
        if not (self.has_null_words and self.has_gaps):
            return sql
        return f"CASE WHEN {self.is_null_word_sql(quote)} THEN NULL ELSE {sql} END"

    def is_null_word_sql(self, quote: str) -> str:
        """Write the condition that a cluster is a null word."""
        if not self.null_words:
            return "false"
        if self.kind == "integer":
            numbers = [word for word in self.null_words if _is_integer(word)]
            listed = ", ".join(numbers) or "NULL"
            return f"coalesce({self.sql(quote, as_text=False)} IN ({listed}), false)"
        quoted_words = (word.replace("'", "''") for word in self.null_words)
        text, listed = self.sql(quote), ", ".join(f"'{word}'" for word in quoted_words)
        longest = max(map(len, self.null_words))
        return f"(length({text}) <= {longest} AND lower({text}) IN ({listed}))"


def _is_integer(word: str) -> bool:
    """Return whether a word is how a column of integers writes a number."""
    return re.fullmatch(r"0|-?[1-9]\d{0,17}", word, re.ASCII) is not None


def _real_sql(name: str) -> str:
    return (
        f"CASE WHEN isnan({name}) THEN NULL "
        f"WHEN abs({name}) < {_EXACT} AND {name} = floor({name}) "
        f"THEN CAST(CAST({name} AS BIGINT) AS STRING) ELSE CAST({name} AS STRING) END"
    )


def text_of(value: object) -> str | None:
    """Return an id as text, or None if the value is not an id.

    >>> [text_of(value) for value in (7, 7.0, "007", "", None, float("nan"))]
    ['7', '7', '007', None, None, None]
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:  # of pandas
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace") or None
    if isinstance(value, float):
        if isnan(value):
            return None
        if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
    return str(value) or None


def texts_of(values: Values) -> list[str | None]:
    """Return the ids of a column as text."""
    return list(
        map(text_of, values.tolist() if isinstance(values, np.ndarray) else values)
    )


class CodedColumn(NamedTuple):
    """A column of ids as codes, in the order of their labels; a missing id is -1."""

    codes: Ints
    labels: list[str]

    @classmethod
    def of(cls, values: Values) -> CodedColumn:
        """Code the ids of a column."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            numbers, codes = np.unique(values, return_inverse=True)
            return cls.sorted(codes, list(map(str, numbers.tolist())))
        code_of: dict[str, int] = {}
        texts = map(
            text_of, values.tolist() if isinstance(values, np.ndarray) else values
        )
        rows = [
            -1 if text is None else code_of.setdefault(text, len(code_of))
            for text in texts
        ]
        return cls.sorted(np.array(rows, dtype=np.int64), list(code_of))

    @classmethod
    def of_clusters(
        cls,
        values: Values,
        *,
        has_null_words: bool,
        null_words: tuple[str, ...] = NULL_WORDS,
    ) -> tuple[CodedColumn, NDArray[np.bool_]]:
        """Code the clusters of a column, and mark the rows with null words.

        Without ``has_null_words`` these rows are marked, but keep their clusters.
        """
        codes, labels = cls.of(values)
        is_kept = np.array([label.lower() not in null_words for label in labels], bool)
        rank = np.append(np.where(is_kept, np.cumsum(is_kept) - 1, -1), -1)
        names = [label for label, kept in zip(labels, is_kept, strict=True) if kept]
        is_null_word = np.append(~is_kept, False)[codes]
        column = cls(rank[codes], names) if has_null_words else cls(codes, labels)
        return column, is_null_word

    @classmethod
    def sorted(cls, codes: Ints, labels: list[str]) -> CodedColumn:
        """Renumber codes in the order of their labels."""
        order = sorted(range(len(labels)), key=labels.__getitem__)
        rank = np.empty(len(labels) + 1, dtype=np.int64)
        rank[order] = np.arange(len(labels))
        rank[-1] = -1
        return cls(rank[codes], [labels[i] for i in order])


def concatenate_values(sides: Iterable[Values]) -> Values:
    """Concatenate columns, as integers if all of them are."""
    columns = list(sides)
    if all(isinstance(side, np.ndarray) and side.dtype.kind == "i" for side in columns):
        return np.concatenate([np.asarray(side) for side in columns])
    return [
        value
        for side in columns
        for value in (side.tolist() if isinstance(side, np.ndarray) else side)
    ]
