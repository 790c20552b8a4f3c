"""The published tables: figures as they were printed, each with its source.

All data files have the same structure. `sources` are the publications that figures were
taken from. A table has columns, and rows with percentages, the name of a source, and a
note if a figure needs one.

`beside` puts a new system at its rank in a table. The comparison is doubtful if the new
system was scored by other conventions, or on another key.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scoref.errors import OptionError, unknown
from scoref.notes import WARNING
from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scoref.model import Note
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result

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
    "crac-2026": "crac-2026-corefud-1.4-test",
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
    """One system; ``scores`` has the F₁ of each column as a fraction, or None.

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


_UNSHOWN = ("lea", "anaphors")
"""Conventions that do not change a figure of these tables."""

_HARMLESS = {
    ("duplicates", "error"),  # or there would be no result
    ("missing", "error"),
    ("missing", None),
    ("phrases", "all"),
    ("nested", "keep"),
    ("evaluate", "identity"),
    ("split_antecedents", "drop"),
}
"""Choices with another name, but with the same figures as those of the tables."""

_ONTONOTES = re.compile(r"\(?(?P<genre>[a-z]{2})/[^/\s()]+/\d\d/[^/\s()]+(?:\).*)?")

_SHOWN = 3  # names in a message


def doubts(result: Result, published: Published) -> Iterator[Note]:
    """Report why a result may not be comparable with a table."""
    yield from _doubts_about_conventions(result, published)
    yield from _doubts_about_key(result, published)
    absent = [column for column in published.columns if column not in result.metrics]
    if absent:
        text = f"Not computed, but in the table: {', '.join(absent)}."
        yield _note("absent-metrics", len(absent), text)


def doubts_about_datasets(
    results: DatasetResults, published: Published
) -> Iterator[Note]:
    """Report why scores on folders may not be comparable with a table."""
    for result in list(results.results.values())[:1]:
        yield from _doubts_about_conventions(result, published)
    for (_, dataset, _), result in results.results.items():
        known = published.dataset_in(dataset)
        if known:
            yield from _doubts_about_key(result, published.of_dataset(known))
    ours, theirs = len(results.datasets), len(published.datasets)
    others = [
        name for name in results.datasets if not name.startswith(published.datasets)
    ]
    if ours != theirs or others:
        missing = f" The table lacks {', '.join(others[:_SHOWN])}." if others else ""
        text = (
            f"{WARNING}The table averages over {theirs} datasets, this result over "
            f"{ours}, so the averages are not comparable.{missing}"
        )
        yield _note("other-size", abs(ours - theirs) or len(others), text)
    if "conll" not in results.metrics:
        text = "Not computed, but in the table: conll."
        yield _note("absent-metrics", 1, text)


def _note(kind: str, count: int, text: str) -> Note:
    from scoref.model import Note  # imports NumPy, which tables do not need

    return Note(kind, count, text)


def _doubts_about_conventions(result: Result, published: Published) -> Iterator[Note]:
    """Report conventions by which figures could differ, and another format."""
    skipped = {*_UNSHOWN}
    if result.format != published.format:
        skipped.add("reading")  # which other formats do not have
    expected = SCHEMES[published.scheme].chosen()
    differences = [
        f"{name.replace('_', '-')}:{value or 'unset'} instead of "
        f"{expected[name] or 'unset'}"
        for name, value in result.scheme.chosen().items()
        if name not in skipped
        and value != expected[name]
        and (name, value) not in _HARMLESS
    ]
    if differences:
        listed = ", ".join(differences)
        text = (
            f"{WARNING}Not comparable with the table, which uses --scheme "
            f"{published.scheme}. Differences: {listed}."
        )
        yield _note("other-scheme", len(differences), text)
    if published.format is not None and result.format != published.format:
        text = (
            f"{WARNING}The table is for {published.format} files, but these files are "
            f"{result.format}. The figures may not be comparable."
        )
        yield _note("other-format", 1, text)


def _doubts_about_key(result: Result, published: Published) -> Iterator[Note]:
    """Report another key: by its fingerprint, or by the size and names of documents."""
    if result.fingerprint is not None:
        from scoref.fingerprint import recognise

        known = recognise(result.fingerprint)
        if any(one.is_exact and one.known.name in published.keys for one in known):
            return
        if known or published.keys:
            expected = " or ".join(published.keys[:_SHOWN]) or published.title
            more = " …" if len(published.keys) > _SHOWN else ""
            text = (
                f"{WARNING}The key is {result.key_name}, but the table is for "
                f"{expected}{more}. The figures are not comparable."
            )
            if known and not known[0].is_exact:
                near = known[0]
                text += (
                    f" The nearest known key is {near.known.name}: it has "
                    f"{len(near.shared)} of {near.known.documents} documents."
                )
            yield _note("other-key", 1, text)
            return
    size = len(result.documents)
    if published.documents is not None and size != published.documents:
        text = (
            f"{WARNING}The table is for a test set of {published.documents} documents, "
            f"but this key has {size}. The figures are not comparable."
        )
        yield _note("other-size", abs(size - published.documents), text)
    if not published.genres:
        return
    others = [
        name
        for name in result.documents
        if (match := _ONTONOTES.fullmatch(name)) is None
        or match["genre"] not in published.genres
    ]
    if others:
        text = (
            f"{WARNING}{len(others)} of {size} documents are not named like those of "
            f"the test set (first: '{others[0]}'). Expected names such as "
            "genre/source/00/source_0000 with one of the genres "
            f"{', '.join(published.genres)}."
        )
        yield _note("other-documents", len(others), text)


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table with a new system in it, sorted by the column that ranks systems.

    Figures are compared as the table prints them. Equal figures share a rank, and the
    new system comes after its equals. If it lacks the figure, it has no rank and comes
    last. ``place`` is its row.
    """

    published: Published
    rows: tuple[PublishedRow, ...]
    ranks: tuple[int | None, ...]
    place: int
    signature: str
    notes: tuple[Note, ...] = ()

    @property
    def system(self) -> str:
        """The name of the new system."""
        return self.rows[self.place].system

    @property
    def rank(self) -> int | None:
        """The new system's rank."""
        return self.ranks[self.place]


def beside(result: Result, name: str, system: str) -> PlacedTable:
    """Put a result into a table at its rank, and note why it may not be comparable.

    Of a table of datasets, only the dataset is used that the key's file is named after.
    """
    published = table(name)
    if published.datasets:
        file = result.key.replace("\\", "/").rpartition("/")[2]
        dataset = published.dataset_in(file)
        if not dataset:
            raise OptionError(
                f"'{published.name}' has a column for each dataset, but the name of "
                f"'{file}' does not start with any of them. Rename the key or give "
                f"folders. Datasets: {', '.join(published.datasets)}"
            )
        published = published.of_dataset(dataset)
    scores = {
        metric: result.scores[metric].f1 if metric in result.metrics else None
        for metric in published.columns
    }
    new = PublishedRow(system, scores)
    return _insert(published, new, result.signature, doubts(result, published))


def beside_datasets(results: DatasetResults, name: str) -> PlacedTable:
    """Put the scores of one system on folders into a table of datasets."""
    published = table(name)
    if not published.datasets:
        raise OptionError(f"'{published.name}' is about one test set. Give two files")
    (system,), (column, *_) = results.systems, results.columns
    scores: dict[str, float | None] = dict.fromkeys(published.columns)
    if "conll" in results.metrics:
        for dataset in results.datasets:
            known = published.dataset_in(dataset)
            if known:
                scores[known] = results.f1(system, dataset, column, "conll")
        scores[MACRO] = results.macro(system, column, "conll")
    new = PublishedRow(system, scores)
    notes = doubts_about_datasets(results, published)
    return _insert(published, new, results.signature(column), notes)


def _insert(
    published: Published, new: PublishedRow, signature: str, notes: Iterable[Note]
) -> PlacedTable:
    """Put a new row into a table, and rank all systems."""

    def printed_figure(row: PublishedRow) -> float:
        """Return the percentage that ranks a system, as printed; -1 without one."""
        score = row.scores[published.ranking]
        return -1.0 if score is None else round(100 * score, published.ranking_decimals)

    # Sorting is stable, so the new row comes after its equals.
    rows = sorted((*published.rows, new), key=lambda row: -printed_figure(row))
    figures = [printed_figure(row) for row in rows]
    return PlacedTable(
        published=published,
        rows=tuple(rows),
        ranks=tuple(
            None if figure < 0 else 1 + sum(other > figure for other in figures)
            for figure in figures
        ),
        place=next(place for place, row in enumerate(rows) if row is new),
        signature=signature,
        notes=tuple(notes),
    )
