"""What other tools compute, from the same two files and with scoref's metrics.

`Sides` holds a key and a response that are scored in many ways, and computes each step
once. Tools differ in their filters, in the entity to which they assign a mention, in
their averages, and in figures that they cut or round too early. These facts come from
each tool's source code. Tools are imitated here only where mentions are spans.
"""

from __future__ import annotations

import dataclasses
import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.tabulation import tabulate_owned, tabulate_spans
from scoref.errors import OptionError
from scoref.formats.catalogue import CONLL_2012
from scoref.formats.entities import EntityPairs
from scoref.formats.reading import open_file
from scoref.matching import Side
from scoref.matching.spans import drop_short, match_mentions
from scoref.metrics import available, conll, metrics_of
from scoref.metrics.base import Score, f_one, ratio
from scoref.metrics.conll import CONLL
from scoref.metrics.lea import lea
from scoref.schemes import SCHEMES
from scoref.scoring.evaluate import open_response, read_pairs
from scoref.scoring.pipeline import score_and_keep, score_corpora
from scoref.scoring.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoref.contingency import Contingency
    from scoref.formats.entities import Documents, Entities
    from scoref.formats.reading import OpenedFile
    from scoref.matching import Matched
    from scoref.metrics.base import Floats, Metric
    from scoref.model import Corpus, Note
    from scoref.scheme import Scheme
    from scoref.scoring.pipeline import Kept
    from scoref.scoring.results import Result

    Scores = dict[str, Score]
    Path = str | os.PathLike[str]
    Input = Path | Entities | Documents


_HUNDREDTHS = 10_000  # of a percent, in 1


def with_mean(scores: Mapping[str, Score], *, of_all: bool = False) -> Scores:
    """Add the CoNLL score; ``of_all`` averages recall and precision as well."""
    mean = CONLL.score_of(scores)
    if of_all:
        parts = [scores[part] for part in CONLL.of]
        recall, precision = (
            CONLL.mean([figure or 0.0 for figure in figures])
            for figures in list(zip(*parts, strict=True))[:2]
        )
        mean = mean._replace(recall=recall, precision=precision)
    return {**scores, CONLL.name: mean}


def cut(figure: float) -> float:
    """Cut a fraction after two decimals of its percentage, as the Perl script does.

    >>> cut(2 / 3)
    0.6666
    """
    return math.floor(figure * _HUNDREDTHS) / _HUNDREDTHS


def rounded(figure: float) -> float:
    """Round it there.

    >>> rounded(2 / 3)
    0.6667
    """
    return round(figure * _HUNDREDTHS) / _HUNDREDTHS


def shortened(scores: Mapping[str, Score], shorten: Callable[[float], float]) -> Scores:
    """Shorten every figure, and average F1 afterwards."""
    short = {
        name: Score(
            _shortened(score.recall, shorten),
            _shortened(score.precision, shorten),
            shorten(score.f1),
            score.is_defined,
        )
        for name, score in scores.items()
        if name != CONLL.name
    }
    return with_mean(short)


def _shortened(figure: float | None, shorten: Callable[[float], float]) -> float | None:
    return None if figure is None else shorten(figure)


def of_mean_ratios(metric: Metric, counts: Floats) -> Score:
    """Average recall and precision over all documents, and take F1 of the means.

    What is 0/0 counts as 0.
    """
    if not len(counts):
        return metric.score_of(np.zeros(counts.shape[1]))
    recall, precision = metric.score(counts)[:, :2].mean(axis=0)
    return Score(float(recall), float(precision), float(f_one(recall, precision)))


def by_size(metric: Metric, counts: Floats, sizes: Floats) -> Score:
    """Average over documents: recall by the key's size, precision by the response's.

    F1 is an average of document F1, by both sizes. ``sizes`` has the number of mentions
    in the key and in the response.
    """
    weights = np.column_stack((sizes, sizes.sum(axis=1)))
    sums = (metric.score(counts) * weights).sum(axis=0)
    recall, precision, f1 = ratio(sums, weights.sum(axis=0)).tolist()
    return Score(recall, precision, f1, bool(metric.is_defined(counts).any()))


class Figures(NamedTuple):
    """What a convention makes of two files; a signature if it is a scheme."""

    scores: Mapping[str, Score]
    signature: str | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, result: Result) -> Figures:
        """Take the scores of a result."""
        return cls(result.scores, result.signature, result.notes)


@dataclass(frozen=True)
class Sides:
    """A key and a response, and how they are scored if nothing else is said.

    ``files`` are there where the files can be parsed once more: standard input cannot,
    nor can a pipe.
    """

    key: Corpus
    response: Corpus
    scheme: Scheme
    files: tuple[OpenedFile, OpenedFile] | None = None
    format: str | None = None  # None: as the files look

    @property
    def metrics(self) -> tuple[str, ...]:
        """List what the format has."""
        return available(self.key, self.scheme)

    @property
    def has_spans(self) -> bool:
        """Tell whether mentions are spans, and not sets of words."""
        return self.key.words is None

    @property
    def has_duplicates(self) -> bool:
        """Tell whether a mention is listed twice on one side."""
        return any(note.kind.startswith("duplicates") for note in self.usual.notes)

    def score(self, **changes: str) -> Result:
        """Score under the scheme, or one with other choices."""
        scheme = dataclasses.replace(self.scheme, **changes)  # type: ignore[arg-type]
        return score_corpora(self.key, self.response, scheme, self.metrics)

    @property
    def is_read_once(self) -> bool:
        """Tell whether the reference scorer's reading would need what is gone."""
        is_conll = CONLL_2012 in {self.key.format, self.response.format}
        return is_conll and self.files is None

    @property
    def usual(self) -> Result:
        """Score under the scheme as it is."""
        return self._kept.result

    @cached_property
    def _kept(self) -> Kept:
        return score_and_keep(self.key, self.response, self.scheme, self.metrics)

    def swapped(self) -> Result:
        """Score the key against the response."""
        return score_corpora(self.response, self.key, self.scheme, self.metrics)

    @cached_property
    def as_the_reference(self) -> Result:
        """Read and score as the reference scorer does."""
        if CONLL_2012 not in {self.key.format, self.response.format} or not self.files:
            return self.score(missing=_missing(self.scheme))
        wanted = Request(format=self.format, scheme=SCHEMES["conll-2012"])
        (pair,) = read_pairs(self.files[0], [self.files[1]], wanted)
        return score_corpora(*pair)

    @property
    def matched(self) -> Matched:
        """Say who was matched with whom under the scheme as it is."""
        return self._kept.matched

    @cached_property
    def as_in_coval(self) -> Matched:
        """Match spans, and leave in what is listed twice."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval")
        return match_mentions(self.key, self.response, scheme)

    @property
    def joined_as_in_coval(self) -> Matched:
        """Do so, with entities of the same label as one, whatever their documents."""
        scheme = dataclasses.replace(self.scheme, duplicates="coval", scope="corpus")
        return match_mentions(self.key, self.response, scheme)


def _missing(scheme: Scheme) -> str:
    return "error" if scheme.missing == "error" else "key"


def sides_of(key: Input, response: Input | None, wanted: Request) -> Sides:
    """Read two files, or take two lists or dicts of entities."""
    if not isinstance(key, str | os.PathLike):
        return _entities(key, response, wanted)
    if response is not None and not isinstance(response, str | os.PathLike):
        raise OptionError("the key is a path, so the response must be one, too")
    if response is None or not all(map(os.path.isfile, (key, response))):
        (pair,) = read_pairs(key, [] if response is None else [response], wanted)
        return Sides(pair.key, pair.response, pair.scheme, None, wanted.format)
    wanted.scheme_for(wanted.format)  # complains before anything is read
    opened = open_file(key, wanted.format, folder=wanted.folder)
    files = opened, open_response(response, opened, wanted)
    (pair,) = read_pairs(files[0], [files[1]], wanted)
    return Sides(pair.key, pair.response, pair.scheme, files, wanted.format)


def _entities(
    key: Entities | Documents, response: Input | None, wanted: Request
) -> Sides:
    if response is None or isinstance(response, str | os.PathLike):
        raise OptionError("key and response must both be paths, or both entities")
    both = EntityPairs.of(key, response).build()
    return Sides(*both, wanted.scheme_for(None))


_OF_COVAL = ("mentions", "muc", "bcub", "ceafe", "lea")

_OF_SCORCH = ("muc", "bcub", "ceafm", "ceafe")

_KEY_ENTITIES = 1  # which of CEAFe's counts


def coval(sides: Sides) -> Figures:
    """Take nothing out."""
    return Figures(_of_coval(sides.as_in_coval, sides.scheme))


def coval_without_singletons(sides: Sides) -> Figures:
    """Take out singletons of both sides, before anything else."""
    return Figures(_of_coval(drop_short(sides.as_in_coval), sides.scheme))


def coval_on_one_document(sides: Sides) -> Figures:
    """Take all lines for those of one document."""
    return Figures(_of_coval(sides.joined_as_in_coval, sides.scheme))


def _of_coval(matched: Matched, scheme: Scheme) -> Scores:
    return with_mean(_scored(tabulate_owned(matched), scheme, _OF_COVAL))


def e2e(sides: Sides) -> Figures:
    """Skip singletons in B³, and in CEAFe those of the response only."""
    table = tabulate_owned(sides.as_in_coval)
    several = _without_singletons(table, of_key=True)
    of_key = _without_singletons(table, of_key=False)
    scores = {
        **_scored(table, sides.scheme, ("muc",)),
        **_scored(several, sides.scheme, ("bcub",)),
        **_scored(of_key, sides.scheme, ("ceafe",)),
        "lea": lea("no-singletons")(table),
    }
    return Figures(with_mean(scores, of_all=True))


def e2e_with_singletons(sides: Sides) -> Figures:
    """Keep singletons, as those do who took these filters out again."""
    table = tabulate_owned(sides.as_in_coval)
    scores = _scored(table, sides.scheme, conll.PARTS)
    scores["lea"] = lea("no-singletons")(table)
    return Figures(with_mean(scores, of_all=True))


def one_document(sides: Sides) -> Figures:
    """Score all documents as one, with entities that stay apart."""
    matched = _as_one_document(sides.matched)
    names = tuple(name for name in sides.metrics if name != conll.NAME)
    return Figures(with_mean(_scored(tabulate_spans(matched), sides.scheme, names)))


def added_singletons(sides: Sides) -> Figures:
    """Add what only the response has to the key."""
    table = tabulate_spans(_with_added_singletons(sides.matched))
    return Figures(with_mean(_scored(table, sides.scheme, _OF_SCORCH)))


def scorch(sides: Sides) -> Figures:
    """Do that, and average documents by their size."""
    table = tabulate_spans(_with_added_singletons(sides.matched))
    sizes = np.column_stack((table.key_mentions, table.response_mentions))
    known = metrics_of(sides.scheme)
    scores = {
        name: by_size(known[name], known[name].count(table), sizes.astype(np.float64))
        for name in _OF_SCORCH
    }
    return Figures(with_mean(scores))


def stanza(sides: Sides) -> Figures:
    """Average recall and precision over documents; LEA is a sum, as elsewhere."""
    result = sides.score(lea="no-singletons")
    scores = _of_means(sides)
    if not result.counts["ceafe"][:, _KEY_ENTITIES].all():
        # A document without key entities is 0/0 there, and so is all the rest.
        scores["ceafe"] = scores["ceafe"]._replace(recall=math.nan, f1=math.nan)
    return Figures(with_mean(scores | {"lea": result.scores["lea"]}))


def means(sides: Sides) -> Figures:
    """Average recall and precision over documents, whatever the format is."""
    return Figures(with_mean(_of_means(sides)))


def _of_means(sides: Sides) -> Scores:
    known = metrics_of(sides.usual.scheme)
    counts = sides.usual.counts
    return {name: of_mean_ratios(known[name], counts[name]) for name in conll.PARTS}


def metric4coref(sides: Sides) -> Figures:
    """Take pairs for MUC, common mentions for B³, and CEAFm for CEAF."""
    table = tabulate_spans(sides.matched)
    known = metrics_of(sides.scheme)
    kept, _, right, _ = known["bcub"].count(table).sum(axis=0).tolist()
    common = float(table.common_mentions.sum())
    b_cubed = known["bcub"].score_of(np.array([kept, common, right, common]))
    scores = {
        "muc": known["pairwise"](table),
        "bcub": b_cubed,
        "ceafe": known["ceafm"](table),
    }
    return Figures(with_mean(scores))


def _scored(table: Contingency, scheme: Scheme, names: tuple[str, ...]) -> Scores:
    known = metrics_of(scheme)
    return {name: known[name](table) for name in names}


def _as_one_document(matched: Matched) -> Matched:
    """Put all documents into one, in which entities stay what they were."""
    return matched._replace(
        documents=("all documents",),
        key=_in_one(matched.key),
        response=_in_one(matched.response),
    )


def _with_added_singletons(matched: Matched) -> Matched:
    """Add what only the response has to the key, each as an entity of its own."""
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


def _in_one(side: Side) -> Side:
    return side._replace(entity_document=np.zeros_like(side.entity_document))


def _without_singletons(table: Contingency, *, of_key: bool) -> Contingency:
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
