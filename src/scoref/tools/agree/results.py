"""Results of `scoref.agree`, tables of records, and a response against several keys.

A table of records has the record's name in its first column. Each other column contains
the clusters of one annotator; an empty cell means that they did not have the record.

A response is compared with the majority of keys, link by link. If v of k keys have a
link, the majority has it if 2v > k and lacks it if 2v < k; 2v = k is undecided and left
out. An error is a link in which the response differs from the majority. It is supported
if at least one annotator agrees with the response.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.displayed import Displayed
from scoref.errors import FormatError, OptionError
from scoref.formats.input_files import name_of, read_bytes
from scoref.printable import counted
from scoref.scoring.annotators import atoms_of, links_of
from scoref.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from os import PathLike

    from scoref.model import Corpus, Note
    from scoref.model.arrays import Mask
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Interval

    Figures = Mapping[str, float]
    Alphas = Mapping[str, float | None]


class DocumentAgreement(NamedTuple):
    """One document: α by distance, None where nothing can be compared."""

    alpha: Alphas
    observed: Alphas
    mentions: int
    annotators: int
    mean: Figures  # F₁ of pairs, by metric


class PairAgreement(NamedTuple):
    """Two annotators, over the documents that both have."""

    scores: Scores
    documents: int
    mentions: float  # F₁
    result: Result


class AnnotatorAgreement(NamedTuple):
    """One annotator, compared with the others."""

    documents: int
    mentions: int
    mention_f1: float | None
    alpha_without: Alphas  # of the others, on the same mentions


class MentionAgreement(NamedTuple):
    """How far people agree on what is a mention.

    ``alpha`` is α of entities where both marked the mention, for any ``missing``.
    """

    f1: float
    by_one: int
    by_some: int
    by_all: int
    alpha: Alphas

    @property
    def all(self) -> int:
        """Count mentions that at least one annotator marked."""
        return self.by_one + self.by_some + self.by_all


class ClassAgreement(NamedTuple):
    """A class of mentions, or of documents."""

    alpha: Alphas
    mentions: int
    mean: Figures


class AnnotatorReading(NamedTuple):
    """Who put a mention with which other: the nearest one before it, or else after."""

    annotators: tuple[str, ...]
    says: str


class Disputed(NamedTuple):
    """A mention on which people differ; the disagreement is their mean distance.

    ``place`` is a file and a line. ``sentence`` counts from 1 in the document; it is
    None if the file has no text.
    """

    document: str
    mention: str
    sentence: int | None
    place: str
    disagreement: float
    readings: tuple[AnnotatorReading, ...]


class ErrorShares(NamedTuple):
    """Shares of errors that some annotator also makes; None if there are no errors."""

    spurious: float | None
    missing: float | None
    all: float | None


class LinkCounts(NamedTuple):
    """Counts of links in a response and in all keys."""

    response_links: int
    any_in_response: int
    all_links: int
    all_in_response: int
    spurious: int
    spurious_supported: int
    missing: int
    missing_supported: int
    undecided: int


class KeyScores(NamedTuple):
    """A response scored against one key."""

    scores: Scores
    documents: int


class Spread(NamedTuple):
    """The lowest and the highest figure over keys."""

    low: float
    high: float


class Ceiling(NamedTuple):
    """What an annotator gets as a response, with the others as keys."""

    mean: Figures
    best: Figures


@dataclass(frozen=True, slots=True)
class SeveralKeys:
    """A response against several keys."""

    per_key: Mapping[str, KeyScores]
    mean: Figures
    best: Figures
    spread: Mapping[str, Spread]
    ceiling: Mapping[str, Ceiling]
    supported: ErrorShares
    lenient_precision: float | None
    strict_recall: float | None
    counts: LinkCounts
    per_document: Mapping[str, LinkCounts]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of α, of F₁ between people, and of a response's figures."""

    level: float
    method: str
    resamples: int
    seed: int
    unit: str
    count: int
    alpha: Mapping[str, Interval]
    mean: Mapping[str, Interval]
    per_annotator: Mapping[str, Mapping[str, Interval]]
    response: Mapping[str, Interval] = field(default_factory=dict)
    supported: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Every choice that the intervals depend on."""
        return (
            f"confidence:{self.level:.15g}|bootstrap:{self.method}|resamples:"
            f"{self.resamples}|seed:{self.seed}|unit:{self.unit}"
        )


@dataclass(frozen=True, repr=False)
class Agreement(Displayed):
    """How far annotators agree, and how good a response is where they differ."""

    names: tuple[str, ...]
    distances: tuple[str, ...]
    missing: str
    average: str
    metrics: tuple[str, ...]
    alpha: Alphas
    observed: Alphas
    expected: Alphas
    per_document: Mapping[str, DocumentAgreement]
    pairs: Mapping[tuple[str, str], PairAgreement]
    mean: Figures
    per_annotator: Mapping[str, Figures]
    annotators: Mapping[str, AnnotatorAgreement]
    mentions: MentionAgreement
    disputed: tuple[Disputed, ...]
    by: str | None
    classes: Mapping[str, ClassAgreement]
    response: SeveralKeys | None
    confidence: Intervals | None
    notes: tuple[Note, ...]
    _scored: str  # the signature of the scores
    _annotated: Annotated

    _reported_by = "tools.agree.rendering:agreement_report"

    def corpora(self, option: str) -> tuple[Corpus, ...]:
        """Return the corpus of each annotator, for an option that needs them.

        Raises:
            OptionError: annotators have a corpus for each dataset, or no files.
        """
        corpora, people = self._annotated.corpora, len(self.names)
        # The last corpus may be that of a response.
        if len(corpora) != people + (self.response is not None):
            raise OptionError(f"{option} cannot be used with folders of datasets")
        return corpora[:people]

    @property
    def _in_short(self) -> str:
        documents = counted(len(self.per_document), "document")
        return f"{counted(len(self.names), 'annotator')} of {documents}"

    @property
    def signature(self) -> str:
        """Every choice that could move a figure, in one line."""
        own = (
            f"agreement:alpha|distance:{','.join(self.distances)}|missing:{self.missing}"
            f"|average:{self.average}|annotators:{len(self.names)}"
        )
        parts = [own, self._scored]
        if self.confidence is not None:
            parts.append(self.confidence.signature)
        return "|".join(parts)

    @property
    def outlier(self) -> str | None:
        """The annotator without whom the others agree best, and better than all do."""
        distance = self.distances[0]
        whole = self.alpha[distance]
        known = {
            name: alpha
            for name, annotator in self.annotators.items()
            if (alpha := annotator.alpha_without[distance]) is not None
        }
        if whole is None or not known:
            return None
        name = max(known, key=known.__getitem__)
        return name if known[name] > whole else None


DOCUMENT = "records"
"""The name of the document that all records of a table are in."""

_FEWEST = 3  # columns: a name and two annotators


def read_records(path: str | PathLike[str]) -> dict[str, dict[str, list[list[str]]]]:
    """Read each annotator's clusters, as one document of records."""
    source = name_of(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("this is not UTF-8", source=source) from error
    comma = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=comma)
    header = next(reader, [])
    if len(header) < _FEWEST or len({*header}) < len(header):
        raise FormatError(
            f"expected at least {_FEWEST} columns, found {len(header)}"
            if len(header) < _FEWEST
            else "two columns have the same name",
            source=source,
            line=1,
            hint="Give the name of the record and a column for each of two or more "
            "annotators, separated by commas or tabs.",
        )
    names = header[1:]
    clusters: dict[str, dict[str, list[str]]] = {name: {} for name in names}
    lines: dict[str, int] = {}
    for row in reader:
        if not row:
            continue
        line = reader.line_num
        if len(row) != len(header):
            raise FormatError(
                f"this row has {len(row)} cells, but the header has {len(header)}",
                source=source,
                line=line,
                hint="Leave a cell empty if an annotator did not have the record.",
            )
        record, *labels = row
        if record in lines:
            raise FormatError(
                f"record '{record}' is listed twice (first in line {lines[record]})",
                source=source,
                line=line,
                hint="Give each record one row.",
            )
        lines[record] = line
        for name, label in zip(names, labels, strict=True):
            if label:
                clusters[name].setdefault(label, []).append(record)
    return {name: {DOCUMENT: list(own.values())} for name, own in clusters.items()}


def several_keys(everybody: Annotated, metrics: tuple[str, ...]) -> SeveralKeys:
    """Score the response, which is the last one, against all annotators."""
    last = len(everybody.names) - 1
    keys = {
        everybody.names[pair[0]]: result
        for pair, result in everybody.results.items()
        if pair[1] == last
    }
    counts = count_links(everybody)
    total = LinkCounts(*counts.sum(axis=0).tolist())
    f1 = _f1(keys.values(), metrics)
    return SeveralKeys(
        per_key={
            name: KeyScores(
                Scores((metric, result.scores[metric]) for metric in metrics),
                len(result.documents),
            )
            for name, result in keys.items()
        },
        mean={name: _mean(values) for name, values in f1.items()},
        best={name: max(values) for name, values in f1.items()},
        spread={name: Spread(min(values), max(values)) for name, values in f1.items()},
        ceiling=_ceiling(everybody, metrics),
        supported=shares_of(total),
        lenient_precision=_share(total.any_in_response, total.response_links),
        strict_recall=_share(total.all_in_response, total.all_links),
        counts=total,
        per_document={
            name: LinkCounts(*row)
            for name, row, is_in in zip(
                everybody.documents,
                counts.tolist(),
                _is_shared(everybody).tolist(),
                strict=True,
            )
            if is_in
        },
    )


def count_links(
    everybody: Annotated,
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Count links of the response by document, in the columns of `LinkCounts`."""
    last = len(everybody.names) - 1
    links = links_of(everybody, atoms_of(everybody), last)
    shared = _is_shared(everybody)[links.document]
    keys = everybody.has[:, :last].sum(axis=1)[links.document]
    votes, made = links.votes, links.is_made & shared
    spurious = made & (2 * votes < keys)
    missing = ~made & (2 * votes > keys) & shared
    by_all = (votes == keys) & shared
    columns = (
        made,
        made & (votes > 0),
        by_all,
        by_all & made,
        spurious,
        spurious & (votes > 0),
        missing,
        missing & (votes < keys),
        (2 * votes == keys) & shared,
    )
    width = np.int64(len(everybody.documents))
    return np.column_stack(
        [np.bincount(links.document, links.times * flag, width) for flag in columns]
    ).astype(np.int64)


def shares_of(counts: LinkCounts) -> ErrorShares:
    """Return the shares of errors that some annotator also makes."""
    supported = counts.spurious_supported, counts.missing_supported
    return ErrorShares(
        _share(supported[0], counts.spurious),
        _share(supported[1], counts.missing),
        _share(sum(supported), counts.spurious + counts.missing),
    )


def _is_shared(everybody: Annotated) -> Mask:
    """Mark the documents that the response shares with at least one annotator."""
    is_shared: Mask = everybody.has[:, -1] & everybody.has[:, :-1].any(axis=1)
    return is_shared


def _ceiling(everybody: Annotated, metrics: tuple[str, ...]) -> dict[str, Ceiling]:
    """Score each annotator as a response, with the other annotators as keys."""
    last = len(everybody.names) - 1
    ceilings = {}
    for number, name in enumerate(everybody.names[:last]):
        others = [
            result
            for pair, result in everybody.results.items()
            if number in pair and last not in pair
        ]
        if others:
            f1 = _f1(others, metrics)
            ceilings[name] = Ceiling(
                {metric: _mean(values) for metric, values in f1.items()},
                {metric: max(values) for metric, values in f1.items()},
            )
    return ceilings


def _f1(
    results: Collection[Result], metrics: tuple[str, ...]
) -> dict[str, list[float]]:
    return {name: [result.scores[name].f1 for result in results] for name in metrics}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
