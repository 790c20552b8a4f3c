"""What tools compute, by what scoref has; only where mentions are spans.

Facts about a tool are those of its source: what it leaves out, which entity it takes a
mention to belong to, how it averages.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scoref.contingency.ownership import tabulate_owned
from scoref.contingency.spans import tabulate_spans
from scoref.matching import Side
from scoref.matching.singletons import drop_short
from scoref.metrics import conll, metrics_of
from scoref.metrics.lea import lea
from scoref.tools.explain.averages import by_size, of_mean_ratios, with_mean
from scoref.tools.explain.sides import Figures

if TYPE_CHECKING:
    from scoref.contingency import Contingency
    from scoref.matching import Matched
    from scoref.metrics.base import Score
    from scoref.scheme import Scheme
    from scoref.tools.explain.sides import Sides

    Scores = dict[str, Score]

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
