"""The published tables: figures as they were printed, each with its source.

All data files have the same structure. `sources` are the publications that figures were
taken from. A table has columns, and rows with percentages, the name of a source, and a
note if a figure needs one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scoref.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    Evidence = Literal["paper", "authors", "collection"]

COLLECTION = "collection"
"""The evidence of figures that others than the authors report."""

MACRO = "macro"
"""The column that averages over datasets."""

_FILES = ("pradhan-2014.json", "ontonotes.json", "books.json", "crac.json")

_ALIASES = {
    "conll-2011": "conll-2011-english",
    "conll-2011-en": "conll-2011-english",
    "conll-2012-en": "conll-2012-english",
    "conll-2012-zh": "conll-2012-chinese",
    "conll-2012-ar": "conll-2012-arabic",
    "litbank": "litbank-ten-folds",
    "preco": "preco-test",
    "bookcoref": "bookcoref-full",
    "crac-2023": "crac-2023-corefud-1.1-test",
    "crac-2024": "crac-2024-corefud-1.2-test",
}


class Source(NamedTuple):
    """The source of a figure.

    ``evidence`` is the ``paper`` itself, the ``authors``' repository or model card, or
    a ``collection`` that others keep.
    """

    title: str
    url: str
    where: str
    evidence: Evidence


class PublishedRow(NamedTuple):
    """One system; ``scores`` has the F1 of each column as a fraction, or None.

    A new system has no source.
    """

    system: str
    scores: Mapping[str, float | None]
    source: Source | None = None
    year: int | None = None
    paper: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A table as it was printed, in its order.

    ``decimals`` is the number of decimals of its percentages, and ``ranking_decimals``
    that of the column that systems are ranked by. ``format`` is the format of its
    files, if all have the same. ``documents`` is the size of the test set, if it is
    known. Names of documents begin with one of the ``genres``. ``keys`` are the names
    of keys with a known fingerprint. Columns are metrics, or the macro average and
    datasets.
    """

    name: str
    title: str
    scheme: str
    format: str | None
    decimals: int
    ranking_decimals: int
    documents: int | None
    genres: tuple[str, ...]
    keys: tuple[str, ...]
    ranking: str
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    rows: tuple[PublishedRow, ...]
    dataset_keys: Mapping[str, tuple[str, ...]]

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets that have a column; none if columns are metrics."""
        return self.columns[1:] if self.ranking == MACRO else ()

    @property
    def sources(self) -> list[Source]:
        """The distinct sources of its figures."""
        sources = (row.source for row in self.rows if row.source is not None)
        return list(dict.fromkeys(sources))

    def decimals_of(self, column: str) -> int:
        """Return the number of decimals of a column's percentages."""
        return self.ranking_decimals if column == self.ranking else self.decimals

    def dataset_in(self, name: str) -> str:
        """Return the dataset that a name begins with, or an empty string."""
        known = (dataset for dataset in self.datasets if name.startswith(dataset))
        return max(known, key=len, default="")

    def of_dataset(self, dataset: str) -> Published:
        """Return one column as a table of its own."""
        rows = (
            row._replace(scores={"conll": row.scores[dataset]}) for row in self.rows
        )
        return replace(
            self,
            title=f"{self.title}, {dataset}",
            ranking="conll",
            ranking_decimals=self.decimals,
            columns=("conll",),
            rows=tuple(rows),
            keys=self.dataset_keys.get(dataset, ()),
        )


def names() -> dict[str, str]:
    """List the tables, with a line about each.

    >>> list(names())[:2]
    ['conll-2011-english', 'conll-2012-english']
    """
    return {name: line_about(table) for name, table in _tables().items()}


def line_about(published: Published) -> str:
    """Say what a table shows, and of how many systems."""
    count = len(published.rows)
    return f"{published.title}: {count} {'system' if count == 1 else 'systems'}"


def table(name: str) -> Published:
    """Find a table by its name.

    >>> best = table("conll-2012-english").rows[0]
    >>> best.system, best.scores["conll"]
    ('fernandes', 0.607)
    """
    wanted = name.strip().lower()
    tables = _tables()
    try:
        return tables[_ALIASES.get(wanted, wanted)]
    except KeyError:
        raise unknown("published table", name, tables) from None


@cache
def _tables() -> dict[str, Published]:
    tables = {}
    for file in _FILES:
        text = files(__package__).joinpath(file).read_text(encoding="utf-8")
        data = json.loads(text)
        sources = {name: Source(**fields) for name, fields in data["sources"].items()}
        for fields in data["tables"]:
            tables[fields["name"]] = _table(fields, sources)
    return tables


def _table(fields: dict[str, Any], sources: Mapping[str, Source]) -> Published:
    """Build a table from its JSON object."""
    rows = fields.pop("rows")
    dataset_keys = fields.pop("dataset_keys", {})
    fields.setdefault("ranking_decimals", fields["decimals"])
    for name in ("genres", "keys", "columns", "remarks"):
        if name in fields:
            fields[name] = tuple(fields[name])
    table = Published(
        **fields,
        rows=(),
        dataset_keys={name: tuple(keys) for name, keys in dataset_keys.items()},
    )
    for row in rows:
        row["source"] = sources[row["source"]]
        row["scores"] = {
            name: round(figure / 100, table.decimals_of(name) + 2)
            for name, figure in row["scores"].items()
        }
    return replace(table, rows=tuple(PublishedRow(**row) for row in rows))
