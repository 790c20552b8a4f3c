"""The data of a report: scores, intervals, comparisons, errors and texts in one object.

The page reads nothing else. All figures are fractions.

`redact` makes a report on a hidden test set: scores, counts and kinds of errors, but no
words. It lists the fields that may be shown, so that a new field is not published by
accident. Notes are left out because they may quote the key, as on leaderboards.

The list of errors is in columns. Each error is described by its first mention: its
words, the mention that it should have been linked to, and a mention of the entity that
it was put into. The texts hold the rest, and have the errors of a document in the same
order.
"""

from __future__ import annotations

import math
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref._version import __version__
from scoref.metrics import conll, labels_of, metrics_of, parts_of
from scoref.metrics.base import figures_of
from scoref.render.signature import fields
from scoref.scoring.mention_classes import in_order
from scoref.scoring.results import signature_of
from scoref.statistics.bootstrap import METHOD
from scoref.statistics.compare import compare
from scoref.statistics.confidence import (
    FEW,
    RESAMPLES,
    SEED,
    confidence,
    few_documents,
    is_one_unit,
)
from scoref.tools.errors.classes import DISTANCES, classify
from scoref.tools.errors.kinds import KINDS, SPAN
from scoref.tools.errors.pairs import identities
from scoref.tools.errors.wording import MentionTexts
from scoref.tools.report.clusters import clusters_of
from scoref.tools.report.documents import (
    MOST_TOKENS,
    choose_documents,
    has_words,
    list_documents,
    texts_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scoref.metrics.base import AnyScore, Floats
    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.statistics.confidence import Confidence
    from scoref.tools.errors.findings import AnalysedSide, Analysis
    from scoref.tools.errors.pairs import Identity

    Object = dict[str, object]
    Systems = Mapping[str, Analysis]
    Columns = dict[str, object]


VERSION = 1
"""Version of the data; the page reads it."""


class ReportChoice(NamedTuple):
    """Which documents a report shows, and how intervals are computed."""

    documents: tuple[str, ...] = ()  # names or patterns; none: as many as fit a page
    level: float = 95
    method: Method = METHOD
    resamples: int = RESAMPLES
    seed: int = SEED
    most_tokens: int = MOST_TOKENS
    with_text: bool = True
    with_names: bool = True  # of documents; without text only


class ReportData(NamedTuple):
    """The arguments of `render_page`."""

    report: Object
    texts: list[Object | None]


def report_of(systems: Systems, choice: ReportChoice | None = None) -> ReportData:
    """Assemble the report of some systems that were scored against one key."""
    choice = choice or ReportChoice()
    names = list(
        dict.fromkeys(
            name for analysis in systems.values() for name in analysis.documents
        )
    )
    first = next(iter(systems.values()))
    most = choice.most_tokens if choice.with_text else 0
    wanted, left_out = choose_documents(systems, names, choice.documents, most)
    texts = texts_of(systems, names, wanted)
    documents = list_documents(first, names)
    for document, text in zip(documents, texts, strict=True):
        document["has_text"] = text is not None
    result = first.result
    metric = _shown_metric(result)
    clusters = errors = None
    if has_words(first):
        # Computed before the notes, because it may add some.
        errors = errors_of(systems, names, size_class)
    else:
        clusters = [_clusters(analysis) for analysis in systems.values()]
    report: Object = {
        "version": VERSION,
        "title": os.path.basename(result.key) or result.key,
        "scoref": __version__,
        "key": result.key,
        "metric": {"name": metric, "label": _label(result, metric)},
        "choices": choices_of(
            signature_of(analysis.result for analysis in systems.values())
        ),
        "kinds": [
            {"name": kind.name, "label": kind.label, "meaning": kind.meaning}
            for kind in KINDS
        ],
        "systems": [
            _system(name, analysis, names, choice) for name, analysis in systems.items()
        ],
        "comparison": _comparison(systems, choice),
        "documents": documents,
        "sizes": {
            "labels": list(SIZES),
            "key": _sizes(first.key),
            "systems": [_sizes(analysis.response) for analysis in systems.values()],
        },
        "left_out": left_out,
        "clusters": clusters,
        "errors": errors,
    }
    if choice.with_text:
        return ReportData(report, texts)
    redacted = redact(report, with_names=choice.with_names)
    return ReportData(redacted, [None] * len(texts))


def choices_of(signature: str) -> list[Object]:
    """Spell out the fields of a signature."""
    meanings = fields()
    choices = [field.partition(":") for field in signature.split("|")]
    return [
        {"name": name, "value": value, "meaning": meanings.get(name, "")}
        for name, _, value in choices
    ]


def _shown_metric(result: Result) -> str:
    return conll.NAME if conll.NAME in result.metrics else result.metrics[0]


def _label(result: Result, metric: str) -> str:
    return labels_of(result.scheme, [metric])[metric]


def _system(
    name: str, analysis: Analysis, names: Sequence[str], choice: ReportChoice
) -> Object:
    """Return everything about one system except its texts and single errors."""
    result, gains = analysis.result, analysis.gains
    chance = None
    if len(result.documents) > 1:
        chance = confidence(
            result,
            level=choice.level,
            method=choice.method,
            resamples=choice.resamples,
            seed=choice.seed,
        )
    notes = [*result.notes, *analysis.notes, *analysis.error_gains.notes]
    if chance is not None and chance.count < FEW:
        notes += few_documents(chance.count, choice.method)
    return {
        "name": name,
        "signature": result.signature,
        "notes": list(dict.fromkeys(note.message for note in notes)),
        "scores": [
            _score(result, metric, score, chance)
            for metric, score in result.scores.items()
        ],
        "level": None if chance is None else chance.level,
        "errors": [
            {"kind": kind, "count": int(count), "gain": float(gains.gain[kind])}
            for kind, count in enumerate(gains.count.tolist())
        ],
        "documents": _document_scores(analysis, names),
    }


def _score(
    result: Result, metric: str, score: AnyScore, chance: Confidence | None
) -> Object:
    intervals = None if chance is None else chance.intervals.get(metric)
    recall, precision, f1 = figures_of(score)
    return {
        "metric": metric,
        "label": _label(result, metric),
        "recall": recall,
        "precision": precision,
        "f1": f1,
        "is_defined": score.is_defined,
        "intervals": None
        if intervals is None
        else {figure: list(bounds) for figure, bounds in intervals.items()},
    }


def _document_scores(analysis: Analysis, names: Sequence[str]) -> list[Object]:
    """Score each document, or its unit, by the mean of the shown metric's parts."""
    result = analysis.result
    metric = _shown_metric(result)
    known = metrics_of(result.scheme)
    parts = parts_of(metric)
    scores: Floats = np.mean(
        [known[part].score(result.counts[part]) for part in parts], axis=0
    )
    is_defined = np.any(
        [known[part].is_defined(result.counts[part]) for part in parts], axis=0
    )
    errors = analysis.count_by_document().sum(axis=1).tolist()
    rows = {name: row for row, name in enumerate(analysis.documents)}
    documents: list[Object] = []
    for name in names:
        row = rows.get(name)
        recall = precision = f1 = None
        if row is not None and is_defined[analysis._unit[row]]:
            recall, precision, f1 = scores[analysis._unit[row]].tolist()
        documents.append(
            {
                "f1": f1,
                "recall": recall,
                "precision": precision,
                "errors": 0 if row is None else errors[row],
            }
        )
    return documents


def _comparison(systems: Systems, choice: ReportChoice) -> Object | None:
    """Compare systems, if there are several on the same documents."""
    results = {name: analysis.result for name, analysis in systems.items()}
    documents = {tuple(sorted(result.documents)) for result in results.values()}
    if len(systems) == 1 or len(documents) > 1 or not documents.pop():
        return None
    if any(map(is_one_unit, results.values())):
        return None
    comparison = compare(
        results,
        level=choice.level,
        method=choice.method,
        resamples=choice.resamples,
        seed=choice.seed,
    )
    names = list(systems)
    result = next(iter(results.values()))
    rows = [
        {
            "first": names.index(row.first),
            "second": names.index(row.second),
            "metric": row.metric,
            "label": _label(result, row.metric),
            "difference": row.difference,
            "interval": None if row.interval is None else list(row.interval),
            "p": row.randomisation,
            "p_holm": row.adjusted,
            "is_significant": row.adjusted <= comparison.allowed,
            "wins": row.wins,
            "ties": row.ties,
            "losses": row.losses,
        }
        for row in comparison.differences
    ]
    return {"level": comparison.level, "rows": rows}


SIZES = ("1", "2", "3–5", "6–10", "11 or more")
"""The classes of entities by their number of mentions."""


def _sizes(side: AnalysedSide) -> list[int]:
    size = np.bincount(side.entity)
    return by_size(size[size > 0])


def by_size(size: Ints, times: Ints | None = None) -> list[int]:
    """Count entities by the classes in `SIZES`; ``times`` says how many have a size."""
    counts = np.bincount(size_class(size), times, minlength=len(SIZES))
    classes: list[int] = counts.astype(np.int64).tolist()
    return classes


def size_class(size: Ints) -> Ints:
    """Find the class in `SIZES` that each size belongs to."""
    return np.searchsorted((2, 3, 6, 11), size, side="right")


def _clusters(analysis: Analysis) -> Object:
    """List divided and conflated entities, which a page shows instead of texts."""
    ours, our_entities = _labels(analysis, 0)
    theirs, their_entities = _labels(analysis, 1)
    partners = [
        their_entities[partner] if partner >= 0 else None
        for partner in analysis.key.partner
    ]
    extra = np.flatnonzero(analysis.response.partner < 0).tolist()
    clusters = clusters_of(
        [*our_entities, *([None] * len(extra))],
        [*partners, *(their_entities[mention] for mention in extra)],
        [*ours, *(theirs[mention] for mention in extra)],
    )
    return dict(clusters)


def _labels(analysis: Analysis, number: int) -> tuple[list[str], list[str]]:
    """Name the mentions of one side by their places, and their entities by labels."""
    corpus = analysis._corpora[number]
    side = (analysis.key, analysis.response)[number]
    mentions, entities = [], []
    for row, document, entity in zip(*side[:3], strict=True):
        unit = analysis.result.documents[analysis._unit[document]]
        mentions.append(f"{analysis.documents[document]} {corpus.place(int(row))}")
        entities.append(f"{unit}: {corpus.entity_label[entity]}")
    return mentions, entities


_REPORT = (
    *("version", "title", "scoref", "key", "metric", "choices", "kinds"),
    *("comparison", "sizes"),
)

_SYSTEM = ("name", "signature", "scores", "level", "errors", "documents")

_DOCUMENT = ("name", "tokens", "mentions", "entities", "has_text")

_SCORE = ("f1", "recall", "precision", "errors")

_LEFT_OUT = "Texts, quotations and the places of errors are left out."


def redact(report: Mapping[str, Any], *, with_names: bool) -> Object:
    """Return the parts of a report that contain no word of a text.

    Args:
        report: the complete report.
        with_names: whether documents keep their names; otherwise they have numbers.
    """

    def pick(whole: Mapping[str, Any], names: tuple[str, ...]) -> Object:
        return {name: whole[name] for name in names}

    documents = [pick(document, _DOCUMENT) for document in report["documents"]]
    for number, document in enumerate(documents, start=1):
        if not with_names:
            document["name"] = f"document {number}"
    return {
        **pick(report, _REPORT),
        "systems": [
            {
                **pick(system, _SYSTEM),
                "documents": [pick(scores, _SCORE) for scores in system["documents"]],
                "notes": [],
            }
            for system in report["systems"]
        ],
        "documents": documents,
        "left_out": _LEFT_OUT,
        "clusters": None,
        "errors": None,
    }


_NONE = -1

_DIGITS = 4


def errors_of(
    systems: Mapping[str, Analysis],
    names: Sequence[str],
    size_class: Callable[[Ints], Ints],
) -> Columns:
    """Put the errors of all systems into columns, in the order of the documents.

    Args:
        systems: the analysis of each system.
        names: the documents of the report.
        size_class: sorts entities by how many mentions they have.
    """
    texts: dict[str, int] = {}  # the words of mentions, each once, by their places
    columns = [
        _SystemErrors(analysis, names, texts, size_class)
        for analysis in systems.values()
    ]
    class_names = {name for system in columns for name in system.class_names}
    classes = in_order(class_names, "mention-type")
    return {
        "systems": [
            {
                **system.columns(),
                "class": system.classes(classes),
                "others": system.others(columns),
                "gains": system.gains(),
            }
            for system in columns
        ],
        "classes": list(classes),
        "distances": list(DISTANCES),
        "texts": list(texts),
    }


class _SystemErrors:
    """The errors of one system, in the order of the report's documents."""

    def __init__(
        self,
        analysis: Analysis,
        names: Sequence[str],
        texts: dict[str, int],
        size_class: Callable[[Ints], Ints],
    ) -> None:
        self.analysis = analysis
        self._size_class = size_class
        self._texts = texts
        place = {name: number for number, name in enumerate(names)}
        document = np.array([place[name] for name in analysis.documents], np.int64)
        of_error = document[analysis.errors.document]
        self._count = np.bincount(of_error, minlength=len(names))
        self._order = np.argsort(of_error, kind="stable")
        self._sides = (analysis.key, analysis.response)
        self._details = analysis.details
        pairs = zip(analysis._corpora, self._sides, strict=True)
        self._words = [MentionTexts(corpus, side) for corpus, side in pairs]

    def columns(self) -> Columns:
        """Return what each error is about; -1 if there is nothing."""
        rows = [self._description(error) for error in self._order.tolist()]
        words, antecedent, entity, more = zip(*rows, strict=True) if rows else [()] * 4
        distance = None
        if self._details.distance is not None:
            distance = self._sort(classify(self.analysis, "distance").of_error)
        return {
            "count": self._count.tolist(),
            "kind": self._sort(self.analysis.errors.kind),
            "distance": distance,
            "size": self._sort(self._size_class(self._details.entity_size)),
            "words": words,
            "antecedent": antecedent,
            "entity": entity,
            "more": more,
        }

    @property
    def class_names(self) -> tuple[str, ...]:
        """The classes of mentions; none if the format does not have them."""
        classes = self._details.mention_class
        return () if classes is None else classes.names

    def classes(self, names: Sequence[str]) -> list[int] | None:
        """Return the class of each error, by its place in a list of names."""
        classes = self._details.mention_class
        if classes is None:
            return None
        places = np.array([names.index(name) for name in classes.names], np.int64)
        return self._sort(places[classes.of_error])

    def gains(self) -> dict[str, Columns]:
        """Return what repairing one error gains, by metric.

        Gains are integers with about four digits for the largest one, so that columns
        are compressed well; ``digits`` is the number of decimals.
        """
        columns: dict[str, Columns] = {}
        for metric, gains in self.analysis.error_gains.items():
            most = float(np.max(np.abs(gains), initial=0))
            digits = _DIGITS - 1 - math.floor(math.log10(most)) if most else 0
            values = np.rint(gains * 10.0**digits).astype(np.int64)
            columns[metric] = {"digits": digits, "values": self._sort(values)}
        return columns

    @cached_property
    def wrong(self) -> set[Identity]:
        """The mentions of errors, so that systems can be compared."""
        errors = self.analysis.errors
        return {
            self._identities[side][mention]
            for side, sets in enumerate((errors.key_mentions, errors.response_mentions))
            for mention in np.unique(sets.member).tolist()
        }

    def others(self, systems: Iterable[_SystemErrors]) -> list[int]:
        """Return which other systems are wrong there, as a bit for each system."""
        key, response = self._identities
        first = []
        for error in self._order.tolist():
            ours, theirs = self._mentions(error)
            first.append(key[ours[0]] if ours else response[theirs[0]])
        others = np.zeros(len(first), np.int64)
        for place, other in enumerate(systems):
            if other is not self:
                is_wrong = [mention in other.wrong for mention in first]
                others |= np.array(is_wrong, np.int64) << place
        bits: list[int] = others.tolist()
        return bits

    def _sort(self, column: Ints) -> list[int]:
        """Return a column in the order of the documents."""
        values: list[int] = column[self._order].tolist()
        return values

    def _description(self, error: int) -> tuple[int, int, int, int]:
        """Describe an error by three texts and the number of its other mentions."""
        ours, theirs = self._mentions(error)
        details = self._details
        is_span = self.analysis.errors.kind[error] == SPAN
        company = theirs[0] if is_span else int(details.linked_to[error])
        return (
            self._text(0, ours[0]) if ours else self._text(1, theirs[0]),
            self._text(0, int(details.antecedent[error])),
            self._text(1, company),
            max(len(ours), len(theirs)) - 1,
        )

    def _text(self, side: int, mention: int) -> int:
        if mention < 0:
            return _NONE
        text = self._words[side].shortened(mention)
        return self._texts.setdefault(text, len(self._texts))

    def _mentions(self, error: int) -> list[list[int]]:
        """Return the mentions of an error in the key and in the response."""
        errors = self.analysis.errors
        return [
            sets.member[sets.start[error] : sets.start[error + 1]].tolist()
            for sets in (errors.key_mentions, errors.response_mentions)
        ]

    @cached_property
    def _identities(self) -> tuple[list[Identity], list[Identity]]:
        return identities(self.analysis)
