"""The function `scoref.agree`, and agreement by class of mention or document.

The disagreement of a class is that of its own mentions; its chance is that of the
documents that contain them. Both add up over classes, so α of all classes together is
α of the whole. A mention has the class that it has for the first annotator who marked
it. F1 is that of `scoref.score_slices`, averaged over pairs of annotators.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from scoref.contingency.memberships import Listings
from scoref.errors import unknown
from scoref.model import Note
from scoref.notes import WARNING
from scoref.scoring.annotator_files import RESPONSE, read_annotated, refuse_strangers
from scoref.scoring.request import Request
from scoref.scoring.results import signature_of
from scoref.scoring.slices import BY, MENTION_CLASSES, classes_of, genres_of, in_order
from scoref.statistics.bootstrap import METHOD
from scoref.statistics.confidence import RESAMPLES, SEED, check_options
from scoref.tools.agree.alpha import AlphaSums, count, sums_of, values_of
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
    from collections.abc import Iterable, Sequence
    from typing import Unpack

    from scoref.model import Ints
    from scoref.scheme import Scheme
    from scoref.scoring.annotator_files import Said
    from scoref.scoring.annotators import Annotated
    from scoref.scoring.results import Result
    from scoref.statistics.bootstrap import Method
    from scoref.tools.agree.alpha import Sums, UnitCounts
    from scoref.tools.agree.options import Average, Conventions, Floats, Missing, Unit
    from scoref.tools.agree.results import Alphas, Figures


def agree(
    annotators: Mapping[str, Said] | Iterable[str],
    *,
    response: Said | None = None,
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
    """Say how far annotators agree: beyond chance (α), and in F1 between two of them.

    Args:
        annotators: paths of files or folders by the annotators' names, or entities by
            document by their names; of a list of paths, these are the names.
        response: a system to be scored against all of them, in the same form.
        distances: how far apart two sets of mentions are: ``masi``, ``jaccard``,
            ``nominal``, ``dice``, ``passonneau-2004``, ``masi-dkpro``.
        missing: what an annotator says who lacks a mention: that it is a
            ``singleton``, no value (``omit``), or that it is none (``nothing``).
        average: chance is that ``within`` each document, or that of the ``corpus``;
            ``macro`` is the mean of the documents' α.
        metrics: what two annotators are scored by.
        level: the level of the intervals in percent, or as a fraction up to 1; no
            intervals if not given.
        unit: what to draw for intervals: ``documents``, or ``documents-annotators``.
        method: how intervals are cut.
        resamples: how many corpora to draw, 1,000,000 at most.
        seed: the same seed gives the same digits.
        by: sort mentions or documents, as `score_slices` does.
        disputed: how many mentions to list, those on which people differ most.
        format: the files' format; detected if not given.
        scheme: how two annotators are scored, by name.
        lenient: pass over what cannot be read, and note it.
        options: conventions of scoring, such as ``match`` and ``singletons``.

    >>> a, b = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5]]
    >>> found = agree({"a": {"d": a}, "b": {"d": b}})
    >>> round(found.alpha["masi"], 4), round(found.mean["muc"], 4)
    (0.0858, 0.6667)
    """
    asked = WantedFigures.of(distances, missing, average, metrics)
    check_by(by)
    check_options(method, resamples, seed)
    chance = (
        None
        if level is None
        else IntervalChoice.of(level, method, resamples, seed, unit)
    )
    wanted = Request.of(format=format, scheme=scheme, lenient=lenient, **options)
    wanted = dataclasses.replace(wanted, with_genres=(by or "").startswith("genre"))
    named = _named(annotators)
    everybody = read_annotated(named, response, wanted, asked.scored, by)
    has_response = response is not None
    refuse_strangers(everybody, has_response=has_response)
    people = everybody.without_last() if has_response else everybody
    found = _Found(people, asked)
    return Agreement(
        names=people.names,
        **asked._asdict(),
        **found.alphas(),
        per_document=found.per_document(),
        pairs=found.pairs(),
        mean=found.scores.mean(),
        per_annotator=found.scores.per_annotator(),
        annotators=found.annotators(),
        mentions=found.mentions,
        disputed=disputed_mentions(people, found.disagreement, disputed),
        by=by,
        classes=agreement_by(by, people, found.counted, found.sums, asked),
        response=several_keys(everybody, asked.metrics) if has_response else None,
        confidence=chance
        and intervals_of(
            everybody, found.counted.rows, asked, chance, len(people.names)
        ),
        notes=(
            *_same_files(named, response),
            *everybody.notes,
            *found.notes(),
            *(chance.notes(people) if chance else ()),
        ),
        scored=signature_of(everybody.results.values()),
        annotated=people,
    )


def _same_files(people: Mapping[str, Said], response: Said | None) -> list[Note]:
    """Warn of a file that is given twice: it agrees with itself."""
    said = {**people, **({} if response is None else {RESPONSE: response})}
    owners: dict[str, str] = {}
    notes = []
    for name, source in said.items():
        if not isinstance(source, str | os.PathLike):
            continue
        path = os.path.realpath(source)
        if path in owners:
            message = (
                f"{WARNING}'{owners[path]}' and '{name}' are the same file, so they "
                "agree in everything; give another file"
            )
            notes.append(Note("same-file", 1, message))
        owners.setdefault(path, name)
    return notes


def _named(annotators: Mapping[str, Said] | Iterable[str]) -> dict[str, Said]:
    if isinstance(annotators, Mapping):
        return {str(name): said for name, said in annotators.items()}
    return {str(path): path for path in annotators}


class _Alphas(TypedDict):
    alpha: Alphas
    observed: Alphas
    expected: Alphas


class _Found:
    """Figures of people who annotated the same texts."""

    def __init__(self, people: Annotated, asked: WantedFigures) -> None:
        self._people, self._asked = people, asked
        self._documents = len(people.documents)
        self.counted = _counted(people, asked, asked.missing)
        self.sums = sums_of(self.counted.rows, self._documents)
        self.scores = PairScores(people.names, people.results, asked.metrics)

    def alphas(self) -> _Alphas:
        """Give α by distance, and what it is made of."""
        additive = AlphaSums.of(self.sums, self._asked.average)
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

    def per_document(self) -> dict[str, DocumentAgreement]:
        """Give the figures of each document."""
        people, f1 = self._people, self.scores.per_document()
        mentions = np.bincount(people.unit_document, minlength=self._documents)
        annotators = people.has.sum(axis=1)
        with np.errstate(invalid="ignore"):
            observed = self.sums.apart / self.sums.values[:, None]
        alpha = self.sums.alpha  # computed for all documents at once
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
        """Give the scores of each two, by their names."""
        names, found = self._people.names, {}
        for (first, second), result in self._people.results.items():
            low, high = sorted((names[first], names[second]))
            found[low, high] = PairAgreement(
                {name: result.scores[name] for name in self._asked.metrics},
                len(result.documents),
                result.scores[MENTIONS].f1,
                result,
            )
        return dict(sorted(found.items()))

    def annotators(self) -> dict[str, AnnotatorAgreement]:
        """Put each beside the others."""
        people = self._people
        f1 = self.scores.per_annotator((MENTIONS,))
        marked = np.bincount(people.marks.annotator, minlength=len(people.names))
        return {
            name: AnnotatorAgreement(
                int(people.has[:, number].sum()),
                int(marked[number]),
                f1.get(name, {}).get(MENTIONS),
                self._without(number),
            )
            for number, name in enumerate(people.names)
        }

    def _without(self, number: int) -> Alphas:
        """Give α of all but one."""
        weights = np.ones(len(self._people.names))
        weights[number] = 0
        sums = sums_of(self.counted.rows, self._documents, weights)
        additive = AlphaSums.of(sums, self._asked.average)
        return self._by_distance(additive.alpha(additive.matrix.sum(axis=0)))

    @cached_property
    def mentions(self) -> MentionAgreement:
        """Count who marked mentions, and give α where both did."""
        people = self._people
        marked = np.bincount(people.marks.unit, minlength=len(people.unit_document))
        readers = people.has.sum(axis=1)[people.unit_document]
        counted = self.counted
        if self._asked.missing != "omit":
            counted = _counted(people, self._asked, "omit")
        sums = sums_of(counted.rows, self._documents)
        additive = AlphaSums.of(sums, self._asked.average)
        is_all, is_one = (marked == readers) & (readers > 1), marked == 1
        return MentionAgreement(
            self.scores.mean((MENTIONS,))[MENTIONS],
            int((is_one & ~is_all).sum()),
            int((~is_one & ~is_all).sum()),
            int(is_all.sum()),
            self._by_distance(additive.alpha(additive.matrix.sum(axis=0))),
        )

    @cached_property
    def disagreement(self) -> Floats:
        """Give the mean distance between two values of each mention, the first one."""
        counted = self.counted
        values = np.maximum(counted.unit_values, 1)
        found: Floats = counted.unit_apart[:, 0] / values
        return found

    def notes(self) -> list[Note]:
        """Say what to know of mentions, and of figures that nothing decides."""
        found, notes = self.mentions, []
        if found.by_one or found.by_some:
            message = (
                f"of {found.all} mentions, {found.by_one} were marked by one "
                f"annotator, {found.by_some} by some, {found.by_all} by all who have "
                "the document"
            )
            notes.append(
                Note("unequal-mentions", found.by_one + found.by_some, message)
            )
        undecided = (self.sums.chance[:, 0] <= 0) & (self.sums.values > 0)
        if count := int(undecided.sum()):
            documents = "document" if count == 1 else "documents"
            message = (
                f"α is 1 in {count} {documents} where nothing could be decided: all "
                "values are the same set, so that chance would agree as well"
            )
            notes.append(Note("undecided", count, message))
        return notes

    def _by_distance(self, figures: Floats) -> Alphas:
        values = figures.tolist()
        return {
            name: None if value != value else value  # noqa: PLR0124 - not a number
            for name, value in zip(self._asked.distances, values, strict=True)
        }


def _counted(people: Annotated, asked: WantedFigures, missing: Missing) -> UnitCounts:
    values = values_of(people, missing)
    return count(values, people.results, asked.distances, len(people.documents))


KINDS = tuple(name for name in BY if name not in {"document", "distance"})
"""What agreement can be sorted by: each document has figures in any case."""


def check_by(by: str | None) -> None:
    """Refuse what there are no classes for."""
    kind, _, pattern = (by or "").partition(":")
    if by is not None and (kind not in KINDS or (pattern and kind != "genre")):
        raise unknown("class", by, KINDS)


def agreement_by(
    by: str | None,
    people: Annotated,
    counted: UnitCounts,
    sums: Sums,
    asked: WantedFigures,
) -> dict[str, ClassAgreement]:
    """Give each class its figures."""
    if by is None:
        return {}
    if by in MENTION_CLASSES:
        labels = _of_mentions(people, by)
        names = in_order({*labels}, by)
    else:
        genres, _ = genres_of(people.documents, people.corpora, by.partition(":")[2])
        labels = [genres[each] for each in people.unit_document.tolist()]
        names = sorted({*genres})
    chance = _chance(sums, asked)[people.unit_document]
    f1 = {name: _f1(people, by, name, asked.metrics) for name in names}
    found = {}
    for name in names:
        units = np.array([label == name for label in labels], dtype=np.bool_)
        alpha = _alpha(counted, chance, units)
        figures = zip(asked.distances, alpha, strict=True)
        found[name] = ClassAgreement(dict(figures), int(units.sum()), f1[name])
    return found


def _chance(sums: Sums, asked: WantedFigures) -> Floats:
    """Give D_e of each document; that of the corpus, where it is asked for."""
    if asked.average != "corpus":
        return sums.chance
    additive = AlphaSums.of(sums, "corpus")
    _, expected, n = additive.parts(additive.matrix.sum(axis=0))
    return np.broadcast_to(expected / max(float(n), 1), sums.chance.shape)


def _alpha(
    counted: UnitCounts,
    chance: Floats,
    units: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> list[float | None]:
    values = counted.unit_values[units]
    if not values.any():
        return [None] * chance.shape[1]
    apart = counted.unit_apart[units].sum(axis=0).tolist()
    expected = (values[:, None] * chance[units]).sum(axis=0).tolist()
    return [
        1 - one / other if other else 1.0
        for one, other in zip(apart, expected, strict=True)
    ]


def _of_mentions(people: Annotated, kind: str) -> list[str]:
    """Name the class of each mention."""
    found = np.full(len(people.unit_document), "", dtype=object)
    for number in range(len(people.corpora) - 1, -1, -1):
        here = np.flatnonzero(people.marks.corpus == number)
        found[people.marks.unit[here]] = _labels(people, number, here, kind)
    labels: list[str] = found.tolist()
    return labels


def _labels(people: Annotated, number: int, here: Ints, kind: str) -> Sequence[str]:
    corpus, row = people.corpora[number], people.marks.row[here]
    entity = corpus.mention_entity[row]
    nothing = np.zeros(0, dtype=np.int64)
    nobody = np.zeros(0, dtype=np.bool_)
    listings = Listings(corpus, row, entity, nothing, nothing, nobody, nobody)
    return classes_of(kind, listings, np.bincount(entity))


def _f1(people: Annotated, by: str, name: str, metrics: tuple[str, ...]) -> Figures:
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
    known = [each for each in metrics if parts and each in parts[0].metrics]
    return mean_of(parts, tuple(known))
