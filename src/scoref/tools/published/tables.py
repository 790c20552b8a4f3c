"""The published tables: figures as they were printed, each with its source.

All data files have the same structure. `sources` are the places where figures were
found. A table has columns, and rows with percentages, the name of a source, and a note
if a figure needs one.
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
"""What is told by somebody else than the authors."""

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
    """Where a figure was read.

    ``evidence`` is how near that is: the ``paper`` itself, the ``authors``' repository
    or model card, or a ``collection`` that others keep.
    """

    title: str
    url: str
    where: str
    evidence: Evidence


class PublishedRow(NamedTuple):
    """One system; ``scores`` has the F1 of each column as a fraction, if there is one.

    A system that was put in has no source.
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

    ``decimals`` is how many its percentages have, and ``ranking_decimals`` how many
    those that systems are ranked by. ``format`` is that of its files, if they have one,
    ``documents`` the size of the test set if it is known, ``genres`` are what its
    documents' names begin with, and ``keys`` the names of keys that are known by their
    fingerprints. Columns are metrics, or the macro average and datasets.
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
        """The datasets that it has columns for; none if its columns are metrics."""
        return self.columns[1:] if self.ranking == MACRO else ()

    @property
    def sources(self) -> list[Source]:
        """Where its figures were read, each place once."""
        found = (row.source for row in self.rows if row.source is not None)
        return list(dict.fromkeys(found))

    def decimals_of(self, column: str) -> int:
        """Count the decimals of a column's percentages."""
        return self.ranking_decimals if column == self.ranking else self.decimals

    def dataset_in(self, name: str) -> str:
        """Find the dataset that a name begins with; nothing if there is none."""
        known = (each for each in self.datasets if name.startswith(each))
        return max(known, key=len, default="")

    def of_dataset(self, dataset: str) -> Published:
        """Give one column as a table of its own."""
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
    found = {}
    for file in _FILES:
        text = files(__package__).joinpath(file).read_text(encoding="utf-8")
        written = json.loads(text)
        sources = {key: Source(**each) for key, each in written["sources"].items()}
        for each in written["tables"]:
            found[each["name"]] = _published(each, sources)
    return found


def _published(written: dict[str, Any], sources: Mapping[str, Source]) -> Published:
    rows = written.pop("rows")
    lists = {"genres", "keys", "columns", "remarks"}
    keys = written.pop("dataset_keys", {})
    fields: dict[str, Any] = {
        name: tuple(value) if name in lists else value
        for name, value in written.items()
    }
    fields.setdefault("ranking_decimals", written["decimals"])
    empty = Published(
        **fields,
        rows=(),
        dataset_keys={name: tuple(each) for name, each in keys.items()},
    )
    return replace(empty, rows=tuple(_row(each, empty, sources) for each in rows))


def _row(
    written: dict[str, Any], published: Published, sources: Mapping[str, Source]
) -> PublishedRow:
    scores = {
        name: round(figure / 100, published.decimals_of(name) + 2)
        for name, figure in written["scores"].items()
    }
    return PublishedRow(
        **written | {"scores": scores, "source": sources[written["source"]]}
    )
