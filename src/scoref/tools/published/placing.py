"""A new system at its rank in a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.tools.published.doubts import doubts, doubts_about_datasets
from scoref.tools.published.tables import MACRO, PublishedRow, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoref.model import Note
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result
    from scoref.tools.published.tables import Published


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table with a new system in it, sorted by what systems are ranked by.

    Figures are compared as the table prints them. Equal ones share a rank, and the
    new system stands below those that it has not beaten. Without that figure it has no
    rank and stands last. ``place`` is its row.
    """

    published: Published
    rows: tuple[PublishedRow, ...]
    ranks: tuple[int | None, ...]
    place: int
    signature: str
    notes: tuple[Note, ...] = ()

    @property
    def system(self) -> str:
        """What the new system is called."""
        return self.rows[self.place].system

    @property
    def rank(self) -> int | None:
        """The new system's rank."""
        return self.ranks[self.place]


def beside(result: Result, name: str, system: str) -> PlacedTable:
    """Put a result into a table at its rank, and say why that may not be fair.

    A table of datasets is cut down to the one that the key's file is called by.
    """
    published = table(name)
    if published.datasets:
        published = published.of_dataset(_dataset_of(result.key, published))
    found = {
        metric: result.scores[metric].f1 if metric in result.metrics else None
        for metric in published.columns
    }
    new = PublishedRow(system, found)
    return _placed(published, new, result.signature, doubts(result, published))


def beside_datasets(results: DatasetResults, name: str) -> PlacedTable:
    """Put the scores of one system on folders into a table of datasets."""
    published = table(name)
    if not published.datasets:
        raise OptionError(f"'{published.name}' is about one test set: give two files")
    (system,), (column, *_) = results.systems, results.columns
    found: dict[str, float | None] = dict.fromkeys(published.columns)
    if "conll" in results.metrics:
        for dataset in results.datasets:
            known = published.dataset_in(dataset)
            if known:
                found[known] = results.f1(system, dataset, column, "conll")
        found[MACRO] = results.macro(system, column, "conll")
    new = PublishedRow(system, found)
    notes = doubts_about_datasets(results, published)
    return _placed(published, new, results.signature(column), notes)


def _placed(
    published: Published, new: PublishedRow, signature: str, notes: Iterable[Note]
) -> PlacedTable:
    # Sorting is stable, so the new one stands below its equals.
    rows = sorted((*published.rows, new), key=lambda row: -_shown(row, published))
    shown = [_shown(row, published) for row in rows]
    ranks = [1 + sum(other > own for other in shown) for own in shown]
    return PlacedTable(
        published=published,
        rows=tuple(rows),
        ranks=tuple(
            None if row.scores[published.ranking] is None else rank
            for row, rank in zip(rows, ranks, strict=True)
        ),
        place=next(place for place, row in enumerate(rows) if row is new),
        signature=signature,
        notes=tuple(notes),
    )


def _shown(row: PublishedRow, published: Published) -> float:
    """Give the figure that a system is ranked by, as it is printed."""
    score = row.scores[published.ranking]
    return -1.0 if score is None else round(100 * score, published.ranking_decimals)


def _dataset_of(path: str, published: Published) -> str:
    """Find the dataset that a file is called by."""
    file = path.replace("\\", "/").rpartition("/")[2]
    found = published.dataset_in(file)
    if found:
        return found
    raise OptionError(
        f"'{published.name}' has a column for each dataset, and '{file}' is called by "
        f"none of them: rename the key, or give folders "
        f"(known: {', '.join(published.datasets)})"
    )
