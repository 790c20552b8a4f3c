"""Ids are compared as text: 7 and "7" are the same, "007" is another.

NULL, NaN and the empty text are no id. A whole number is written without a fraction
even if it is a float, since integers become floats where a column has gaps. Other
floats are written as the engine writes them, and equal only themselves.

In a column of clusters, some words mean that a record is not clustered. A record may
have such a word for its id.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from numpy.typing import NDArray

    from scoref.model import Ints

    Kind = Literal["integer", "text", "real", "json", "other"]
    Values = Sequence[object] | NDArray[np.generic]

NOT_CLUSTERED = ("nan", "na", "n/a", "<na>", "null", "none", "-1", "-1.0")
"""Clusters that mean "not clustered", in small letters; capitals make no difference.

-1 is what DBSCAN and HDBSCAN call noise. Dicts and lists have None for that, so that
these words are names of clusters there.
"""

_EXACT = 2**53
_GAPS = {"NAType", "NaTType"}  # of pandas


@dataclass(frozen=True, slots=True)
class EngineColumn:
    """A column of a table in an engine, and how its ids become text."""

    name: str
    kind: Kind
    has_words: bool = True  # for "not clustered", in a column of clusters

    def sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write its ids, NULL where there is none, as text or as they are."""
        name = f"{quote}{self.name.replace(quote, quote * 2)}{quote}"
        if self.kind == "integer":
            return f"CAST({name} AS STRING)" if as_text else name
        if self.kind == "text":
            return f"nullif({name}, '')"
        if self.kind == "real":
            return _real(name)
        if self.kind == "json":
            real = _real(f"CAST({name} AS DOUBLE)")
            other = f"nullif({name} ->> '$', '')"
            return (
                f"CASE WHEN json_type({name}) = 'DOUBLE' AND NOT "
                f"regexp_full_match({name} ->> '$', '-?[0-9]+') "
                f"THEN {real} ELSE {other} END"
            )
        return f"nullif(CAST({name} AS STRING), '')"

    def cluster_sql(self, quote: str, *, as_text: bool = True) -> str:
        """Write its ids as those of clusters, NULL for what is not clustered."""
        sql = self.sql(quote, as_text=as_text)
        if not self.has_words:
            return sql
        return f"CASE WHEN {self.is_word_sql(quote)} THEN NULL ELSE {sql} END"

    def is_word_sql(self, quote: str) -> str:
        """Write the condition that a cluster is a word for "not clustered"."""
        if self.kind == "integer":
            return f"{self.sql(quote, as_text=False)} = -1"
        text, words = self.sql(quote), ", ".join(f"'{word}'" for word in NOT_CLUSTERED)
        longest = max(map(len, NOT_CLUSTERED))
        return f"(length({text}) <= {longest} AND lower({text}) IN ({words}))"


def _real(name: str) -> str:
    return (
        f"CASE WHEN isnan({name}) THEN NULL "
        f"WHEN abs({name}) < {_EXACT} AND {name} = floor({name}) "
        f"THEN CAST(CAST({name} AS BIGINT) AS STRING) ELSE CAST({name} AS STRING) END"
    )


def text_of(value: object) -> str | None:
    """Write one id, None if it is none.

    >>> [text_of(value) for value in (7, 7.0, "007", "", None, float("nan"))]
    ['7', '7', '007', None, None, None]
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in _GAPS:
        return None
    if isinstance(value, float) and isnan(value):
        return None
    return _written(value) or None


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return str(value)


class Labelled(NamedTuple):
    """Ids as numbers, -1 for none; numbers are in the order of their texts."""

    codes: Ints
    labels: list[str]

    @classmethod
    def of(cls, values: Values) -> Labelled:
        """Number the ids of a column."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            numbers, codes = np.unique(values, return_inverse=True)
            return cls.sorted(codes, [str(each) for each in numbers.tolist()])
        found: dict[str, int] = {}
        texts = map(
            text_of, values.tolist() if isinstance(values, np.ndarray) else values
        )
        listed = [-1 if t is None else found.setdefault(t, len(found)) for t in texts]
        return cls.sorted(np.array(listed, dtype=np.int64), list(found))

    @classmethod
    def of_clusters(
        cls, values: Values, *, has_words: bool
    ) -> tuple[Labelled, NDArray[np.bool_]]:
        """Number the clusters of a column, and mark words for "not clustered".

        Without ``has_words`` they are marked, but stay clusters.
        """
        codes, labels = cls.of(values)
        is_kept = np.array([each.lower() not in NOT_CLUSTERED for each in labels], bool)
        rank = np.append(np.where(is_kept, np.cumsum(is_kept) - 1, -1), -1)
        names = [label for label, kept in zip(labels, is_kept, strict=True) if kept]
        is_word = np.append(~is_kept, False)[codes]
        return cls(rank[codes], names) if has_words else cls(codes, labels), is_word

    @classmethod
    def sorted(cls, codes: Ints, labels: list[str]) -> Labelled:
        """Number them anew, in the order of their texts."""
        order = sorted(range(len(labels)), key=labels.__getitem__)
        rank = np.empty(len(labels) + 1, dtype=np.int64)
        rank[order] = np.arange(len(labels))
        rank[-1] = -1
        return cls(rank[codes], [labels[i] for i in order])


def joined_values(sides: Iterable[Values]) -> Values:
    """Put columns behind one another, as integers if all are."""
    listed = list(sides)
    if all(isinstance(side, np.ndarray) and side.dtype.kind == "i" for side in listed):
        return np.concatenate([np.asarray(side) for side in listed])
    return [
        value
        for side in listed
        for value in (side.tolist() if isinstance(side, np.ndarray) else side)
    ]
