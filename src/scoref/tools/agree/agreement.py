"""The function `scoref.agree`: all figures of agreement, and those of classes.

Classes are of mentions or of documents. The observed disagreement of a class is that of
its own mentions; the expected one is that of the documents that contain them. Both add
up over classes, so α of all classes together is α of the whole. A mention has the class
that it has for the first annotator who marked it. F₁ is that of `scoref.score_slices`,
averaged over pairs of annotators.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from scoref.contingency.memberships import Listings
from scoref.errors import OptionError, quoted, unknown
from scoref.formats.inputs import is_file, name_inputs
from scoref.formats.projects import annotators_at, with_projects
from scoref.model import Note
from scoref.notes import WARNING
from scoref.printable import describe
from scoref.scoring.annotator_files import RESPONSE, read_annotated, refuse_strangers
from scoref.scoring.mention_classes import MENTION_CLASSES, classes_of, in_order
from scoref.scoring.request import Request
from scoref.scoring.results import signature_of
from scoref.scoring.scores import Scores
from scoref.scoring.slices import BY, genres_of
from scoref.statistics.bootstrap import METHOD
from scoref.statistics.confidence import RESAMPLES, SEED, check_options
from scoref.tools.agree.alpha import AlphaSums, count_units, sums_of, values_of
from scoref.tools.agree.disputes import PairScores, disputed_mentions, mean_of
from scoref.tools.agree.intervals import IntervalChoice, intervals_of
from scoref.tools.agree.options import DISPUTED, MENTIONS, METRICS, USUAL, WantedFigures
from scoref.tools.agree.results import (
    Agreement,
    AnnotatorAgreement,
    ClassAgreement,
    DocumentAgreement,
    MentionAgreement,
    PairAgreement,
    several_keys,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from scoref.formats.inputs import Input
    from scoref.model.arrays import Mask
    from scoref.scheme import Scheme
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.tools.agree.alpha import UnitCounts
    from scoref.tools.agree.options import Average, Conventions, Floats, Missing, Unit
    from scoref.tools.agree.results import Alphas, Figures


def agree(
    annotators: Mapping[str, Input] | Iterable[Input],
    *,
    response: Input | None = None,
    distances: str | Iterable[str] = USUAL,
    missing: Missing = "singleton",
    average: Average = "within",
    metrics: str | Iterable[str] = METRICS,
    level: float | None = None,
    unit: Unit = "documents",
    method: Method = METHOD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    by: str | None = None,
    disputed: int = DISPUTED,
    format: str | None = None,
    scheme: str | Scheme | None = None,
    lenient: bool = False,
    **options: Unpack[Conventions],
) -> Agreement:
    """Measure agreement of annotators: beyond chance (α), and as F₁ of each two.

    Args:
        annotators: files, folders or entities by annotator, as for `scoref.score`. A
            list also works: files are called by their paths, and others by numbers. A
            project export of INCEpTION or WebAnno stands for all its annotators.
        response: a system to score against all annotators, in the same form.
        distances: distances between two sets of mentions: ``masi``, ``jaccard``,
            ``nominal``, ``dice``, ``passonneau-2004``, ``masi-dkpro``.
        missing: the value of a mention that an annotator lacks: a ``singleton``, no
            value (``omit``), or the empty set (``nothing``).
        average: expect chance ``within`` each document or in the ``corpus``, or take
            the mean of the documents' α (``macro``).
        metrics: metrics that two annotators are scored by.
        level: level of the intervals in percent, or as a fraction up to 1. By default
            there are no intervals.
        unit: units to resample: ``documents``, or ``documents-annotators``.
        method: bootstrap method.
        resamples: number of bootstrap samples, at most 1,000,000.
        seed: seed of the random numbers.
        by: also report classes of mentions or documents, as `score_slices` does.
        disputed: number of mentions to list, the most disputed first.
        format: format of the files; detected by default.
        scheme: name of the conventions that two annotators are scored by.
        lenient: skip what cannot be read, and note it.
        options: conventions of scoring, such as ``match`` and ``singletons``.

    >>> a, b = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5]]
    >>> agreement = agree({"a": {"d": a}, "b": {"d": b}})
    >>> round(agreement.alpha["masi"], 4), round(agreement.mean["muc"], 4)
    (0.0858, 0.6667)
    """
    asked = WantedFigures.of(distances, missing, average, metrics)
    kind, _, pattern = (by or "").partition(":")
    if by is not None and (kind not in KINDS or (pattern and kind != "genre")):
        raise unknown("class", by, KINDS)
    check_options(method, resamples, seed)
    chance = (
        None
        if level is None
        else IntervalChoice.of(level, method, resamples, seed, unit)
    )
    wanted = Request.of(format=format, scheme=scheme, lenient=lenient, **options)
    wanted = dataclasses.replace(wanted, with_genres=(by or "").startswith("genre"))
    if is_file(annotators) and not annotators_at(annotators):
        raise OptionError(
            f"agree() takes several annotators, not {describe(annotators)}",
            hint='agree({"a": "a.conll", "b": "b.conll"})',
        )
    if isinstance(annotators, Mapping):
        sources = {str(name): source for name, source in annotators.items()}
    else:
        sources = name_inputs(annotators, "annotator")
    sources = with_projects(sources)
    everybody = read_annotated(sources, response, wanted, asked.all_metrics, by)
    has_response = response is not None
    refuse_strangers(everybody, has_response=has_response)
    people = everybody.without_last() if has_response else everybody
    figures = _Figures(people, asked)
    return Agreement(
        names=people.names,
        **asked._asdict(),
        **figures.alphas(),
        per_document=figures.per_document(),
        pairs=figures.pairs(),
        mean=figures.scores.mean(),
        per_annotator=figures.scores.per_annotator(),
        annotators=figures.annotators(),
        mentions=figures.mentions,
        disputed=disputed_mentions(people, figures.disagreement, disputed),
        by=by,
        classes=figures.classes(by) if by else {},
        response=several_keys(everybody, asked.metrics) if has_response else None,
        confidence=chance
        and intervals_of(
            everybody, figures.counts.rows, asked, chance, len(people.names)
        ),
        notes=(
            *_same_files(sources, response),
            *everybody.notes,
            *figures.notes(),
            *(chance.notes(people) if chance else ()),
        ),
        _scored=signature_of(everybody.results.values()),
        _annotated=people,
    )


KINDS = tuple(name for name in BY if name not in {"document", "distance", "class"})
"""Classes that agreement can be split by; documents have figures in any case."""


def _same_files(people: Mapping[str, Input], response: Input | None) -> list[Note]:
    """Warn of a file that is given twice, because it agrees with itself."""
    sources = {**people, **({} if response is None else {RESPONSE: response})}
    owners: dict[str, str] = {}
    notes = []
    for name, source in sources.items():
        if not isinstance(source, str | os.PathLike):
            continue
        path = os.path.realpath(source)
        if path in owners:
            message = (
                f"{WARNING}'{owners[path]}' and '{name}' are the same file, so they "
                "agree completely. Give another file."
            )
            notes.append(Note("same-file", 1, message))
        owners.setdefault(path, name)
    return notes


class _Alphas(TypedDict):
    alpha: Alphas
    observed: Alphas
    expected: Alphas


class _Figures:
    """Figures of people who annotated the same texts."""

    def __init__(self, people: Annotated, asked: WantedFigures) -> None:
        self._people, self._asked = people, asked
        self._documents = len(people.documents)
        self.counts = self._count(asked.missing)
        self._sums = sums_of(self.counts.rows, self._documents)
        self.scores = PairScores(people.names, people.results, asked.metrics)

    def _count(self, missing: Missing) -> UnitCounts:
        """Count values of all mentions, with a rule for those that are missing."""
        values = values_of(self._people, missing)
        pairs, distances = self._people.results, self._asked.distances
        return count_units(values, pairs, distances, self._documents)

    def alphas(self) -> _Alphas:
        """Return α by distance, and the two disagreements that it is made of."""
        additive = AlphaSums.of(self._sums, self._asked.average)
        total = additive.matrix.sum(axis=0)
        alpha = self._by_distance(additive.alpha(total))
        if self._asked.average == "macro":
            nothing: Alphas = dict.fromkeys(self._asked.distances)
            return {"alpha": alpha, "observed": nothing, "expected": nothing}
        apart, expected, n = additive.parts(total)
        count = n if n > 0 else np.nan
        return {
            "alpha": alpha,
            "observed": self._by_distance(apart / count),
            "expected": self._by_distance(expected / count),
        }

    def _by_distance(self, figures: Floats) -> Alphas:
        return {
            name: None if np.isnan(figure) else figure
            for name, figure in zip(
                self._asked.distances, figures.tolist(), strict=True
            )
        }

    def _alpha_of(
        self, counts: UnitCounts, annotator_weights: Floats | None = None
    ) -> Alphas:
        """Return α of all documents together."""
        sums = sums_of(counts.rows, self._documents, annotator_weights)
        additive = AlphaSums.of(sums, self._asked.average)
        return self._by_distance(additive.alpha(additive.matrix.sum(axis=0)))

    def per_document(self) -> dict[str, DocumentAgreement]:
        """Return the figures of each document."""
        people, f1 = self._people, self.scores.per_document()
        mentions = np.bincount(people.unit_document, minlength=self._documents)
        annotators = people.has.sum(axis=1)
        with np.errstate(invalid="ignore"):
            observed = self._sums.apart / self._sums.values[:, None]
        alpha = self._sums.alpha  # computed for all documents at once
        return {
            name: DocumentAgreement(
                self._by_distance(alpha[row]),
                self._by_distance(observed[row]),
                int(mentions[row]),
                int(annotators[row]),
                f1.get(name, {}),
            )
            for row, name in enumerate(people.documents)
        }

    def pairs(self) -> dict[tuple[str, str], PairAgreement]:
        """Return the scores of each two annotators, by their names in order."""
        names, pairs = self._people.names, {}
        for (first, second), result in self._people.results.items():
            low, high = sorted((names[first], names[second]))
            pairs[low, high] = PairAgreement(
                Scores((name, result.scores[name]) for name in self._asked.metrics),
                len(result.documents),
                result.scores[MENTIONS].f1,
                result,
            )
        return dict(sorted(pairs.items()))

    def annotators(self) -> dict[str, AnnotatorAgreement]:
        """Compare each annotator with the others."""
        people = self._people
        f1 = self.scores.per_annotator((MENTIONS,))
        marked = np.bincount(people.marks.annotator, minlength=len(people.names))
        others = 1 - np.eye(len(people.names))
        return {
            name: AnnotatorAgreement(
                int(people.has[:, number].sum()),
                int(marked[number]),
                f1.get(name, {}).get(MENTIONS),
                self._alpha_of(self.counts, others[number]),
            )
            for number, name in enumerate(people.names)
        }

    @cached_property
    def mentions(self) -> MentionAgreement:
        """Count who marked mentions, and compute α where both did.

        Mentions of documents that only one annotator has are not counted.
        """
        people = self._people
        marked = np.bincount(people.marks.unit, minlength=len(people.unit_document))
        readers = people.has.sum(axis=1)[people.unit_document]
        marked, readers = marked[readers > 1], readers[readers > 1]
        is_all, is_one = marked == readers, marked == 1
        is_omitting = self._asked.missing == "omit"
        return MentionAgreement(
            self.scores.mean((MENTIONS,))[MENTIONS],
            int((is_one & ~is_all).sum()),
            int((~is_one & ~is_all).sum()),
            int(is_all.sum()),
            self._alpha_of(self.counts if is_omitting else self._count("omit")),
        )

    @cached_property
    def disagreement(self) -> Floats:
        """Return the mean distance between two values of each mention.

        It is the first of the distances.
        """
        values = np.maximum(self.counts.unit_values, 1)
        disagreement: Floats = self.counts.unit_apart[:, 0] / values
        return disagreement

    def notes(self) -> list[Note]:
        """Report annotators alone, unequal mentions, and α that is 1 by convention."""
        mentions, notes = self.mentions, []
        people = self._people
        is_shared = people.has[people.has.sum(axis=1) > 1].any(axis=0)
        if alone := [people.names[row] for row in np.flatnonzero(~is_shared).tolist()]:
            message = (
                f"{WARNING}No figure includes {quoted(alone, len(alone))}, because no "
                "other annotator has the same documents."
            )
            notes.append(Note("no-common-documents", len(alone), message))
        if mentions.by_one or mentions.by_some:
            message = (
                f"Of {mentions.all:,} mentions, one annotator marked "
                f"{mentions.by_one:,}, some annotators marked {mentions.by_some:,} and "
                f"all annotators of the document marked {mentions.by_all:,}."
            )
            notes.append(
                Note("unequal-mentions", mentions.by_one + mentions.by_some, message)
            )
        undecided = (self._sums.chance[:, 0] <= 0) & (self._sums.values > 0)
        if count := int(undecided.sum()):
            documents = "document" if count == 1 else "documents"
            message = (
                f"{WARNING}α counts as 1 in {count:,} {documents} where it is "
                "undefined because all values are the same set."
            )
            notes.append(Note("undecided", count, message))
        return notes

    def classes(self, by: str) -> dict[str, ClassAgreement]:
        """Return the figures of each class of mentions or documents."""
        people, asked = self._people, self._asked
        if by in MENTION_CLASSES:
            labels = _classes_of_mentions(people, by)
            names = in_order({*labels}, by)
        else:
            genres, _ = genres_of(
                people.documents, people.corpora, by.partition(":")[2]
            )
            labels = [genres[document] for document in people.unit_document.tolist()]
            names = sorted({*genres})
        chance = self._chance()[people.unit_document]
        classes = {}
        for name in names:
            units = np.array([label == name for label in labels], dtype=np.bool_)
            classes[name] = ClassAgreement(
                dict(zip(asked.distances, self._alpha(units, chance), strict=True)),
                int(units.sum()),
                _mean_f1_of_class(people, by, name, asked.metrics),
            )
        return classes

    def _chance(self) -> Floats:
        """Return D_e of each document, or that of the corpus if it is wanted."""
        if self._asked.average != "corpus":
            return self._sums.chance
        additive = AlphaSums.of(self._sums, "corpus")
        _, expected, n = additive.parts(additive.matrix.sum(axis=0))
        return np.broadcast_to(expected / max(float(n), 1), self._sums.chance.shape)

    def _alpha(self, units: Mask, chance: Floats) -> list[float | None]:
        """Return α of some mentions by distance, given D_e for each mention."""
        values = self.counts.unit_values[units]
        if not values.any():
            return [None] * chance.shape[1]
        apart = self.counts.unit_apart[units].sum(axis=0).tolist()
        expected = (values[:, None] * chance[units]).sum(axis=0).tolist()
        return [
            1 - one / other if other else 1.0
            for one, other in zip(apart, expected, strict=True)
        ]


def _classes_of_mentions(people: Annotated, kind: str) -> list[str]:
    """Return the class of each mention, as the first annotator who has it sees it."""
    labels = np.full(len(people.unit_document), "", dtype=object)
    none, no_flag = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    for number in range(len(people.corpora) - 1, -1, -1):
        corpus = people.corpora[number]
        here = np.flatnonzero(people.marks.corpus == number)
        row = people.marks.row[here]
        entity = corpus.mention_entity[row]
        listings = Listings(corpus, row, entity, none, none, no_flag, no_flag)
        labels[people.marks.unit[here]] = classes_of(
            kind, listings, np.bincount(entity)
        )
    classes: list[str] = labels.tolist()
    return classes


def _mean_f1_of_class(
    people: Annotated, by: str, name: str, metrics: tuple[str, ...]
) -> Figures:
    """Average the scores of a class over pairs; some metrics have none."""
    parts: list[Result] = []
    for pair, whole in people.results.items():
        if by in MENTION_CLASSES:
            slices = people.slices[pair]
            parts += [slices[name]] if name in slices else []
            continue
        genres, _ = genres_of(whole.documents, people.corpora, by.partition(":")[2])
        rows = [row for row, genre in enumerate(genres) if genre == name]
        parts += [whole.of_documents(rows)] if rows else []
    known = [metric for metric in metrics if parts and metric in parts[0].metrics]
    return mean_of(parts, tuple(known))
