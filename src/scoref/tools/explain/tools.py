"""What other tools compute, from the same two files and with scoref's metrics.

`Sides` holds a key and a response that are scored in many ways, and computes each step
once. Tools differ in their filters, in the entity to which they assign a mention, in
their averages, and in figures that they cut or round too early. These facts come from
each tool's source code. Tools are imitated here only where mentions are spans.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from os.path import isfile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.tabulation import tabulate_owned, tabulate_spans
from scoref.formats.catalogue import CONLL_2012
from scoref.formats.input_files import MemoryFile
from scoref.formats.inputs import entity_corpora, files_of
from scoref.formats.reading import open_file
from scoref.matching import Side
from scoref.matching.spans import drop_short, match_mentions
from scoref.metrics import available, conll, metrics_of
from scoref.metrics.base import Score, f_one, figures_of, ratio
from scoref.metrics.conll import CONLL
from scoref.metrics.lea import lea
from scoref.schemes import SCHEMES
from scoref.scoring.evaluate import open_response, read_pairs, sides_of
from scoref.scoring.pipeline import ManySchemes, score_corpora
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.contingency import Contingency
    from scoref.formats.inputs import Input
    from scoref.formats.reading import OpenedFile
    from scoref.matching import Matched
    from scoref.metrics.base import AnyScore, Floats, Metric
    from scoref.model import Corpus, Note
    from scoref.scheme import Scheme
    from scoref.scoring.results import Result

    ScoreDict = dict[str, AnyScore]


class Figures(NamedTuple):
    """The scores of a convention, with a signature if the convention is a scheme."""

    scores: Mapping[str, AnyScore]
    signature: str | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, result: Result) -> Figures:
        """Take the scores of a result."""
        return cls(result.scores, result.signature, result.notes)


@dataclass(frozen=True)
class Sides:
    """A key and a response, with the scheme that they are scored by by default.

    ``files`` are known if they can be parsed a second time, unlike standard input
    and pipes.
    """

    key: Corpus
    response: Corpus
    scheme: Scheme
    files: tuple[OpenedFile, OpenedFile] | None = None
    format: str | None = None  # None: detected

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return the metrics that the format allows."""
        return available(self.key, self.scheme)

    @property
    def has_spans(self) -> bool:
        """Return whether mentions are spans, not sets of words."""
        return self.key.words is None

    @property
    def has_duplicates(self) -> bool:
        """Return whether a mention is listed twice on one side."""
        return any(note.kind.startswith("duplicates") for note in self.usual.notes)

    @property
    def has_conll(self) -> bool:
        """Return whether one of the files is in the reference scorer's format."""
        return CONLL_2012 in {self.key.format, self.response.format}

    def score(self, **changes: str) -> Result:
        """Score by the scheme, with some conventions changed."""
        scheme = dataclasses.replace(self.scheme, **changes)  # type: ignore[arg-type]
        return self._schemes.score(scheme, self.metrics)

    def score_swapped(self) -> Result:
        """Score the key against the response."""
        return score_corpora(self.response, self.key, self.scheme, self.metrics)

    @cached_property
    def _schemes(self) -> ManySchemes:
        return ManySchemes(self.key, self.response)

    @cached_property
    def usual(self) -> Result:
        """The result by the scheme as it is."""
        return self.score()

    @cached_property
    def usual_match(self) -> Matched:
        """The mentions that the scheme matches."""
        return match_mentions(self.key, self.response, self.usual.scheme)

    @cached_property
    def reference(self) -> Result:
        """The result if files are read and scored as by the reference scorer."""
        if not self.has_conll or not self.files:
            is_strict = self.scheme.missing == "error"
            return self.score(missing="error" if is_strict else "key")
        wanted = Request(format=self.format, scheme=SCHEMES["conll-2012"])
        (pair,) = read_pairs(self.files[0], [self.files[1]], wanted)
        return score_corpora(*pair)

    @cached_property
    def coval_match(self) -> Matched:
        """Mentions as coval matches them, with those that are listed twice."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval")
        return match_mentions(self.key, self.response, scheme)

    @property
    def joined_coval_match(self) -> Matched:
        """The same, with entities of equal labels merged across documents."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval", scope="corpus")
        return match_mentions(self.key, self.response, scheme)


def read_sides(key: Input, response: Input | None, wanted: Request) -> Sides:
    """Read two files, or take two lists or dicts of entities."""
    given = files_of(*sides_of(key, response))
    if given is None:
        return Sides(*entity_corpora(key, response), wanted.scheme_for(None))
    can_read_again = all(isinstance(file, MemoryFile) or isfile(file) for file in given)
    if len(given) == 1 or not can_read_again:
        (pair,) = read_pairs(given[0], given[1:], wanted)
        return Sides(pair.key, pair.response, pair.scheme, None, wanted.format)
    wanted.scheme_for(wanted.format)  # refuses wrong options before anything is read
    opened = open_file(given[0], wanted.format, folder=wanted.folder)
    files = opened, open_response(given[1], opened, wanted)
    (pair,) = read_pairs(files[0], [files[1]], wanted)
    return Sides(pair.key, pair.response, pair.scheme, files, wanted.format)


_HUNDREDTHS = 10_000  # of a percent, in 1


def with_mean(scores: Mapping[str, AnyScore], *, of_all: bool = False) -> ScoreDict:
    """Add the CoNLL score; ``of_all`` averages recall and precision as well."""
    mean: AnyScore = CONLL.score_of(scores)
    if of_all:
        parts = [figures_of(scores[part]) for part in CONLL.of]
        recall, precision = (
            CONLL.mean([figure or 0.0 for figure in figures])
            for figures in list(zip(*parts, strict=True))[:2]
        )
        mean = Score(recall, precision, mean.f1, mean.is_defined)
    return {**scores, CONLL.name: mean}


def cut_figure(figure: float) -> float:
    """Cut a fraction after two decimals of its percentage, as the Perl script does.

    >>> cut_figure(2 / 3)
    0.6666
    """
    return math.floor(figure * _HUNDREDTHS) / _HUNDREDTHS


def round_figure(figure: float) -> float:
    """Round a fraction to two decimals of its percentage.

    >>> round_figure(2 / 3)
    0.6667
    """
    return round(figure * _HUNDREDTHS) / _HUNDREDTHS


def shorten_scores(
    scores: Mapping[str, AnyScore], shorten: Callable[[float], float]
) -> ScoreDict:
    """Shorten every figure, and average F₁ afterwards."""
    short: ScoreDict = {}
    for name, score in scores.items():
        if isinstance(score, Score):
            recall, precision, f1 = map(shorten, score[:3])
            short[name] = Score(recall, precision, f1, score.is_defined)
    return with_mean(short)


def score_of_means(metric: Metric, counts: Floats) -> Score:
    """Average recall and precision over all documents, and take F₁ of the means.

    A ratio of 0/0 counts as 0.
    """
    if not len(counts):
        return Score(0.0, 0.0, 0.0, is_defined=False)
    recall, precision = metric.score(counts)[:, :2].mean(axis=0)
    return Score(float(recall), float(precision), float(f_one(recall, precision)))


def score_by_size(metric: Metric, counts: Floats, sizes: Floats) -> Score:
    """Average documents, weighted by their sizes.

    The weight of recall is the size of the key, that of precision the size of the
    response, and that of F₁ their sum. ``sizes`` has the number of mentions in the key
    and in the response.
    """
    weights = np.column_stack((sizes, sizes.sum(axis=1)))
    sums = (metric.score(counts) * weights).sum(axis=0)
    recall, precision, f1 = ratio(sums, weights.sum(axis=0)).tolist()
    return Score(recall, precision, f1, bool(metric.is_defined(counts).any()))


_COVAL_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")

_SCORCH_METRICS = ("muc", "bcub", "ceafm", "ceafe")

_KEY_ENTITIES = 1  # the column of CEAFe's counts with the number of key entities


def _score_table(
    table: Contingency, scheme: Scheme, names: tuple[str, ...]
) -> ScoreDict:
    metrics = metrics_of(scheme)
    return {name: metrics[name](table) for name in names}


def coval(sides: Sides) -> Figures:
    """Score as coval does."""
    return _score_coval(sides.coval_match, sides.scheme)


def coval_without_singletons(sides: Sides) -> Figures:
    """Drop singletons of both sides first."""
    return _score_coval(drop_short(sides.coval_match), sides.scheme)


def coval_on_one_document(sides: Sides) -> Figures:
    """Treat all lines as those of one document."""
    return _score_coval(sides.joined_coval_match, sides.scheme)


def _score_coval(matched: Matched, scheme: Scheme) -> Figures:
    table = tabulate_owned(matched)
    return Figures(with_mean(_score_table(table, scheme, _COVAL_METRICS)))


def e2e(sides: Sides) -> Figures:
    """Skip all singletons in B³, and in CEAFe those of the response only."""
    table = tabulate_owned(sides.coval_match)
    neither = _drop_singletons(table, of_key=True)
    only_key = _drop_singletons(table, of_key=False)
    scores = {
        **_score_table(table, sides.scheme, ("muc",)),
        **_score_table(neither, sides.scheme, ("bcub",)),
        **_score_table(only_key, sides.scheme, ("ceafe",)),
        "lea": lea("no-singletons")(table),
    }
    return Figures(with_mean(scores, of_all=True))


def _drop_singletons(table: Contingency, *, of_key: bool) -> Contingency:
    """Leave the response's singletons out of a table, and maybe the key's."""
    key = (table.key_size > 1) | (not of_key)
    response = table.response_size > 1
    cells = key[table.cell_key] & response[table.cell_response]
    return table._replace(
        key_document=table.key_document[key],
        key_size=table.key_size[key],
        response_document=table.response_document[response],
        response_size=table.response_size[response],
        cell_key=(np.cumsum(key) - 1)[table.cell_key[cells]],
        cell_response=(np.cumsum(response) - 1)[table.cell_response[cells]],
        key_count=table.key_count[cells],
        response_count=table.response_count[cells],
        key_mates=table.key_mates[cells],
        response_mates=table.response_mates[cells],
        overlap=table.overlap[cells],
    )


def e2e_with_singletons(sides: Sides) -> Figures:
    """Score as evaluators that removed e2e-coref's filters of singletons."""
    table = tabulate_owned(sides.coval_match)
    scores = _score_table(table, sides.scheme, conll.PARTS)
    scores["lea"] = lea("no-singletons")(table)
    return Figures(with_mean(scores, of_all=True))


def one_document(sides: Sides) -> Figures:
    """Score all documents as one, in which entities stay apart."""
    both = sides.usual_match
    key, response = (
        side._replace(entity_document=np.zeros_like(side.entity_document))
        for side in (both.key, both.response)
    )
    table = tabulate_spans(
        both._replace(documents=("all documents",), key=key, response=response)
    )
    names = tuple(name for name in sides.metrics if name != conll.NAME)
    return Figures(with_mean(_score_table(table, sides.scheme, names)))


def added_singletons(sides: Sides) -> Figures:
    """Add mentions that only the response has to the key, as singletons."""
    table = tabulate_spans(_add_singletons(sides.usual_match))
    return Figures(with_mean(_score_table(table, sides.scheme, _SCORCH_METRICS)))


def scorch(sides: Sides) -> Figures:
    """Add these singletons, and average documents by their size."""
    table = tabulate_spans(_add_singletons(sides.usual_match))
    sizes = np.column_stack((table.key_mentions, table.response_mentions))
    weights = sizes.astype(np.float64)
    metrics = metrics_of(sides.scheme)
    scores = {
        name: score_by_size(metrics[name], metrics[name].count(table), weights)
        for name in _SCORCH_METRICS
    }
    return Figures(with_mean(scores))


def _add_singletons(matched: Matched) -> Matched:
    """Add mentions that only the response has to the key, each as an entity."""
    key, response = matched.key, matched.response
    new = np.flatnonzero(~np.isin(response.mention, key.mention))
    entity = len(key.entity_document) + np.arange(len(new))
    nowhere = np.full(len(new), -1, dtype=np.int64)
    added = Side(
        mention=np.concatenate((key.mention, response.mention[new])),
        entity=np.concatenate((key.entity, entity)),
        line=np.concatenate((key.line, nowhere)),
        row=np.concatenate((key.row, nowhere)),
        entity_document=np.concatenate((key.entity_document, response.document[new])),
        source=key.source,
    )
    return matched._replace(key=added)


def stanza(sides: Sides) -> Figures:
    """Average recall and precision over documents, but not in LEA."""
    result = sides.score(lea="no-singletons")
    scores = _mean_scores(sides)
    if not result.counts["ceafe"][:, _KEY_ENTITIES].all():
        # A document without key entities is 0/0 there, and so is the mean.
        scores["ceafe"] = scores["ceafe"]._replace(recall=math.nan, f1=math.nan)
    return Figures(with_mean(scores | {"lea": result.scores["lea"]}))


def means(sides: Sides) -> Figures:
    """Average recall and precision over documents."""
    return Figures(with_mean(_mean_scores(sides)))


def _mean_scores(sides: Sides) -> dict[str, Score]:
    metrics = metrics_of(sides.usual.scheme)
    counts = sides.usual.counts
    return {name: score_of_means(metrics[name], counts[name]) for name in conll.PARTS}


def metric4coref(sides: Sides) -> Figures:
    """Compute pairwise F₁ as MUC, B³ of common mentions, and CEAFm as CEAFe."""
    table = tabulate_spans(sides.usual_match)
    metrics = metrics_of(sides.scheme)
    kept, _, right, _ = metrics["bcub"].count(table).sum(axis=0).tolist()
    common = float(table.common_mentions.sum())
    b_cubed = metrics["bcub"].score_of(np.array([kept, common, right, common]))
    scores = {
        "muc": metrics["pairwise"](table),
        "bcub": b_cubed,
        "ceafe": metrics["ceafm"](table),
    }
    return Figures(with_mean(scores))
