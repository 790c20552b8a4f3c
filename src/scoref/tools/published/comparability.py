"""A new system at its rank in a published table, and doubts about the comparison.

Doubts are other conventions, or another key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.errors import OptionError
from scoref.schemes import SCHEMES
from scoref.tools.published.tables import MACRO, PublishedRow, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoref.fingerprint import Recognised
    from scoref.model import Note
    from scoref.scheme import Scheme
    from scoref.scoring.datasets import DatasetResults
    from scoref.scoring.results import Result
    from scoref.tools.published.tables import Published


_UNSHOWN = ("lea", "anaphors")
"""Choices that move no figure of these tables."""

_HARMLESS = {
    ("duplicates", "error"),  # or there would be no result
    ("missing", "error"),
    ("missing", None),
    ("phrases", "all"),
    ("nested", "keep"),
    ("evaluate", "identity"),
    ("split_antecedents", "drop"),
}
"""Choices that are called otherwise, but come to the same as those of the tables."""

_ONTONOTES = re.compile(r"\(?(?P<genre>[a-z]{2})/[^/\s()]+/\d\d/[^/\s()]+(?:\).*)?")

_SHOWN = 3


def doubts(result: Result, published: Published) -> Iterator[Note]:
    """Say what keeps a result from being compared with a table."""
    yield from _about_conventions(result, published)
    yield from _about_key(result, published)
    absent = [each for each in published.columns if each not in result.metrics]
    if absent:
        text = f"the table has {', '.join(absent)}, which was not asked for here"
        yield _note("absent-metrics", len(absent), text)


def doubts_about_datasets(
    results: DatasetResults, published: Published
) -> Iterator[Note]:
    """Say what keeps scores on folders from being compared with a table."""
    for result in list(results.results.values())[:1]:
        yield from _about_conventions(result, published)
    for (_, dataset, _), result in results.results.items():
        known = published.dataset_in(dataset)
        if known:
            yield from _about_key(result, published.of_dataset(known))
    ours, theirs = len(results.datasets), len(published.datasets)
    strange = [
        each for each in results.datasets if not each.startswith(published.datasets)
    ]
    if ours != theirs or strange:
        also = (
            f", of which {', '.join(strange[:_SHOWN])} is not there" if strange else ""
        )
        text = f"the table averages over {theirs} datasets, and this over {ours}{also}"
        yield _note("other-size", abs(ours - theirs) or len(strange), text)
    if "conll" not in results.metrics:
        text = "the table has conll, which was not asked for here"
        yield _note("absent-metrics", 1, text)


def _note(kind: str, count: int, text: str) -> Note:
    from scoref.model import Note  # NumPy, which tables do without

    return Note(kind, count, text)


def _about_conventions(result: Result, published: Published) -> Iterator[Note]:
    differing = _differing(result, SCHEMES[published.scheme], published.format)
    if differing:
        text = f"not scored like the table ({published.scheme}): {', '.join(differing)}"
        yield _note("other-scheme", len(differing), text)
    if published.format is not None and result.format != published.format:
        text = (
            f"the table is for {published.format} files, and these are {result.format}"
        )
        yield _note("other-format", 1, text)


def _differing(result: Result, scheme: Scheme, format_name: str | None) -> list[str]:
    """List the choices by which figures could differ."""
    # Other formats have no such reading, and there is a note on the format.
    is_same = result.format == format_name
    passed = _UNSHOWN if is_same else (*_UNSHOWN, "reading")
    wanted = scheme.chosen()
    return [
        f"{name.replace('_', '-')}:{value or 'unset'} instead of "
        f"{wanted[name] or 'unset'}"
        for name, value in result.scheme.chosen().items()
        if name not in passed
        and value != wanted[name]
        and (name, value) not in _HARMLESS
    ]


def _about_key(result: Result, published: Published) -> Iterator[Note]:
    """Say that it is another key, by its fingerprint, or else by numbers and names."""
    if result.fingerprint is not None:
        from scoref.fingerprint import recognise

        found = recognise(result.fingerprint)
        if any(each.is_exact and each.known.name in published.keys for each in found):
            return
        if found or published.keys:
            yield _other_key(result, found, published)
            return
    yield from _guesses(result, published)


def _other_key(result: Result, found: list[Recognised], published: Published) -> Note:
    meant = " or ".join(published.keys[:_SHOWN]) or published.title
    more = " …" if len(published.keys) > _SHOWN else ""
    text = f"the key is {result.key_name}, and the table is for {meant}{more}"
    for near in found[:1]:
        if not near.is_exact:
            text += (
                f"; it comes nearest to {near.known.name}, of which it has "
                f"{len(near.shared)} of {near.known.documents} documents"
            )
    return _note("other-key", 1, text)


def _guesses(result: Result, published: Published) -> Iterator[Note]:
    size, expected = len(result.documents), published.documents
    if expected is not None and size != expected:
        text = f"the table is for a test set of {expected} documents, not of {size}"
        yield _note("other-size", abs(size - expected), text)
    strange = [each for each in result.documents if not _fits(each, published)]
    if strange:
        text = (
            f"{len(strange)} of {size} documents are not named like those of the "
            f"test set (a genre of {', '.join(published.genres)}; "
            f"genre/source/00/source_0000): '{strange[0]}'"
        )
        yield _note("other-documents", len(strange), text)


def _fits(document: str, published: Published) -> bool:
    if not published.genres:
        return True
    found = _ONTONOTES.fullmatch(document)
    return found is not None and found["genre"] in published.genres


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
