"""Published results to stand beside: tables of the literature as data.

All come from Table 1 of Pradhan et al. (2014), who scored the systems of the
CoNLL-2011 and 2012 shared tasks again, with the reference scorer v8. The figures
are as printed, in `pradhan-2014.json`, with their source; they are fractions here,
as everywhere. A figure can only be compared with them if the same documents were
scored by the same conventions: `beside` says where that cannot be so.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from scoref.errors import unknown
from scoref.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.model import Note
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result

RANKING = "conll"
"""The metric that systems are ranked by."""

_FORMAT = "conll-2012"
_SOURCES = ("pradhan-2014.json",)
_ALIASES = {
    "conll-2011": "conll-2011-english",
    "conll-2011-en": "conll-2011-english",
    "conll-2012-en": "conll-2012-english",
    "conll-2012-zh": "conll-2012-chinese",
    "conll-2012-ar": "conll-2012-arabic",
}
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
"""Choices that are called otherwise, but come to the same as the reference scorer's."""

_ONTONOTES = re.compile(r"\(?(?P<genre>[a-z]{2})/[^/\s()]+/\d\d/[^/\s()]+(?:\).*)?")


class PublishedRow(NamedTuple):
    """One system; ``scores`` has the F1 of each metric as a fraction, if there is one.

    ``track`` is empty for a system that was put in.
    """

    system: str
    track: str
    scores: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Published:
    """A table as it was printed, in its order.

    ``decimals`` is how many its percentages have, ``documents`` the size of the test
    set if it is known, and ``genres`` are what its documents' names begin with.
    """

    name: str
    shared_task: str
    language: str
    track: str
    citation: str
    doi: str
    url: str
    scheme: str
    decimals: int
    documents: int | None
    genres: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[PublishedRow, ...]

    @property
    def title(self) -> str:
        """What the table shows."""
        return f"{self.shared_task} {self.language}, {self.track} track"


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table with a new system in it, sorted by the CoNLL score.

    Figures are compared as the table prints them. Equal ones share a rank, and the
    new system stands below those that it has not beaten. Without a CoNLL score it
    has no rank and stands last. ``place`` is its row.
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


def names() -> dict[str, str]:
    """List the tables, with a line about each.

    >>> list(names())[:2]
    ['conll-2011-english', 'conll-2012-english']
    """
    return {
        name: f"{table.title}: {len(table.rows)} systems"
        for name, table in _tables().items()
    }


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


def beside(result: Result, name: str, system: str) -> PlacedTable:
    """Put a result into a table at its rank, and say why that may not be fair."""
    published = table(name)
    found = {
        metric: result.scores[metric].f1 if metric in result.metrics else None
        for metric in published.columns
    }
    new = PublishedRow(system, "", found)
    # Sorting is stable, so the new one stands below its equals.
    rows = sorted((*published.rows, new), key=lambda row: -_shown(row, published))
    shown = [_shown(row, published) for row in rows]
    ranks = [1 + sum(other > own for other in shown) for own in shown]
    return PlacedTable(
        published=published,
        rows=tuple(rows),
        ranks=tuple(
            None if row.scores[RANKING] is None else rank
            for row, rank in zip(rows, ranks, strict=True)
        ),
        place=next(place for place, row in enumerate(rows) if row is new),
        signature=result.signature,
        notes=tuple(_doubts(result, published)),
    )


def _shown(row: PublishedRow, published: Published) -> float:
    """Give the figure that a system is ranked by, as it is printed."""
    score = row.scores[RANKING]
    return -1.0 if score is None else round(100 * score, published.decimals)


def _doubts(result: Result, published: Published) -> Iterator[Note]:
    """Say what keeps a result from being compared with a table."""
    from scoref.model import Note  # noqa: PLC0415 - NumPy, which tables do without

    differing = _differing(result, SCHEMES[published.scheme])
    if differing:
        text = f"not scored like the table ({published.scheme}): {', '.join(differing)}"
        yield Note("other-scheme", len(differing), text)
    if result.format != _FORMAT:
        text = f"the table is for {_FORMAT} files, and these are {result.format}"
        yield Note("other-format", 1, text)
    size, expected = len(result.documents), published.documents
    if expected is not None and size != expected:
        text = f"the table is for a test set of {expected} documents, not of {size}"
        yield Note("other-size", abs(size - expected), text)
    strange = [each for each in result.documents if not _fits(each, published)]
    if strange:
        text = (
            f"{len(strange)} of {size} documents are not named like those of the "
            f"test set (a genre of {', '.join(published.genres)}; "
            f"genre/source/00/source_0000): '{strange[0]}'"
        )
        yield Note("other-documents", len(strange), text)
    absent = [each for each in published.columns if each not in result.metrics]
    if absent:
        text = f"the table has {', '.join(absent)}, which was not asked for here"
        yield Note("absent-metrics", len(absent), text)


def _differing(result: Result, scheme: Scheme) -> list[str]:
    """List the choices by which figures could differ."""
    # Other formats have no such reading, and there is a note on the format.
    passed = _UNSHOWN if result.format == _FORMAT else (*_UNSHOWN, "reading")
    wanted = scheme.chosen()
    return [
        f"{name.replace('_', '-')}:{value or 'unset'} instead of "
        f"{wanted[name] or 'unset'}"
        for name, value in result.scheme.chosen().items()
        if name not in passed
        and value != wanted[name]
        and (name, value) not in _HARMLESS
    ]


def _fits(document: str, published: Published) -> bool:
    found = _ONTONOTES.fullmatch(document)
    return found is not None and found["genre"] in published.genres


class _Table(TypedDict):
    name: str
    shared_task: str
    language: str
    documents: int | None
    genres: list[str]
    rows: list[list[str | float]]


class _Source(TypedDict):
    citation: str
    doi: str
    url: str
    scheme: str
    track: str
    decimals: int
    columns: list[str]
    tables: list[_Table]


@cache
def _tables() -> dict[str, Published]:
    found = {}
    for file in _SOURCES:
        text = files(__name__).joinpath(file).read_text(encoding="utf-8")
        source: _Source = json.loads(text)
        for each in source["tables"]:
            found[each["name"]] = _published(source, each)
    return found


def _published(source: _Source, found: _Table) -> Published:
    columns = tuple(source["columns"])
    return Published(
        name=found["name"],
        shared_task=found["shared_task"],
        language=found["language"],
        track=source["track"],
        citation=source["citation"],
        doi=source["doi"],
        url=source["url"],
        scheme=source["scheme"],
        decimals=source["decimals"],
        documents=found["documents"],
        genres=tuple(found["genres"]),
        columns=columns,
        rows=tuple(
            PublishedRow(
                str(system),
                source["track"],
                {
                    metric: round(float(figure) / 100, source["decimals"] + 2)
                    for metric, figure in zip(columns, figures, strict=True)
                },
            )
            for system, *figures in found["rows"]
        ),
    )
