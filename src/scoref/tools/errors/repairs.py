"""A response in which some errors are repaired, and its CoNLL score.

A repair changes only the mentions of its errors. The *home* of a key entity is the
response entity that has most of its mentions (its main cell):

    span               the mention gets the key's words, and stays in its entity
    conflated-entity   the mentions of the cell become an entity, which is their home
    wrong-link         they go home
    divided-entity     they go home
    extra-…            they are removed
    missing-mention    it is added to its home
    missing-entity     its mentions are added as an entity

Other repairs affect a repair only by changing where home is. So any set of errors can
be repaired, in any order, and repairing all of them produces the key.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.tabulation import tabulate_spans
from scoref.matching import Matched
from scoref.matching import Side as Listings
from scoref.metrics import conll, metrics_of
from scoref.model.arrays import distinct, is_new
from scoref.tools.errors.costs import ErrorGains
from scoref.tools.errors.findings import Gains
from scoref.tools.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    KINDS,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
    WRONG_LINK,
)
from scoref.tools.errors.repair_tables import moves_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoref.metrics.base import Floats
    from scoref.model import Ints, WordSets
    from scoref.scoring.results import Result
    from scoref.tools.errors.findings import AnalysedSide, Errors
    from scoref.tools.errors.listing import ErrorCells

    Mask = NDArray[np.bool_]


class Repairs(NamedTuple):
    """A response and its errors, to be repaired."""

    key: AnalysedSide
    response: AnalysedSide
    cells: ErrorCells
    errors: Errors
    result: Result  # with the scheme and documents of repaired responses
    unit: Ints  # by document: the document of the result that it belongs to

    def gains(self) -> Gains:
        """Score the response with each kind repaired, and with one after another."""
        kinds = self.errors.kind
        count = np.bincount(kinds, minlength=len(KINDS))
        before = self.conll(np.zeros(len(kinds), dtype=np.bool_))
        alone: list[float] = []
        cumulative: list[float] = []
        for kind in range(len(KINDS)):
            last = cumulative[-1] if cumulative else before
            if not count[kind]:
                alone.append(before)
                cumulative.append(last)
                continue
            is_first = not count[:kind].any()
            alone.append(self.conll(kinds == kind))
            cumulative.append(alone[-1] if is_first else self.conll(kinds <= kind))
        return Gains(count, before, np.array(alone), np.array(cumulative))

    def conll(self, repaired: Mask) -> float:
        """Score the response with some errors repaired."""
        score = dataclasses.replace(
            self.result,
            metrics=(conll.NAME,),
            counts=self.counts(repaired),
            slice=None,
        )
        return score.conll

    def unrepaired_counts(self) -> dict[str, Floats]:
        """Count what the CoNLL score adds up, by document, before any repair."""
        return self.counts(np.zeros(len(self.errors.kind), dtype=np.bool_))

    def counts(self, repaired: Mask) -> dict[str, Floats]:
        """Count what the CoNLL score adds up, by document, after some repairs."""
        known = metrics_of(self.result.scheme)
        table = tabulate_spans(self._match(repaired))
        return {name: known[name].count(table) for name in conll.PARTS}

    def error_gains(self) -> ErrorGains:
        """Return what each error costs by itself."""
        moves = moves_of(self.errors, self.key, self.cells)
        sides = distinct(self.key.entity), distinct(self.response.entity)
        table = tabulate_spans(self._match(np.zeros(len(moves.key), dtype=np.bool_)))
        return ErrorGains(table, moves.numbered(*sides), self.result)

    def _match(self, repaired: Mask) -> Matched:
        ours = np.arange(len(self.key.row))
        mention, entity, document = self.repair(repaired)
        return Matched(
            documents=self.result.documents,
            mention_count=len(ours) + len(self.response.row),
            key=_listings(ours, self.key.entity, self.unit[self.key.document]),
            response=_listings(mention, entity, self.unit[document]),
        )

    def repair(self, repaired: Mask) -> tuple[Ints, Ints, Ints]:
        """Return the mentions of a repaired response, their entities and documents.

        A mention is its place in the key. A mention that the key does not have is its
        place in the response, counted on from the last mention of the key.

        Args:
            repaired: whether each error is repaired.
        """
        key, response, cells, errors = self.key, self.response, self.cells, self.errors

        def of(*kinds: int) -> Mask:
            return repaired & np.isin(errors.kind, kinds)

        # Where each entity of the key is at home. New entities follow the others.
        main = cells.main_of_key
        is_created = main < 0
        is_created[errors.key_entity[of(CONFLATED)]] = True
        new = len(cells.main_of_response) + np.arange(len(main))
        home = np.where(is_created, new, cells.home)

        # The mentions of the response get their words and their entities.
        partner = response.partner.copy()
        mended = members(errors.response_mentions, of(SPAN))
        partner[mended] = response.counterpart[mended]
        extra = len(key.row) + np.arange(len(partner))
        mention = np.where(partner >= 0, partner, extra)
        entity = response.entity.copy()
        moved = members(errors.response_mentions, of(CONFLATED, WRONG_LINK, DIVIDED))
        entity[moved] = home[key.entity[response.counterpart[moved]]]

        # Extra mentions are removed, missing ones are added.
        kept = np.ones(len(partner), dtype=np.bool_)
        kept[members(errors.response_mentions, of(EXTRA_MENTION, EXTRA_ENTITY))] = False
        added = members(errors.key_mentions, of(MISSING_MENTION, MISSING_ENTITY))
        return (
            np.concatenate((mention[kept], added)),
            np.concatenate((entity[kept], home[key.entity[added]])),
            np.concatenate((response.document[kept], key.document[added])),
        )


def members(mentions: WordSets, chosen: Mask) -> Ints:
    """Return the mentions of the errors that are chosen."""
    listed: Ints = mentions.member[np.repeat(chosen, np.diff(mentions.start))]
    return listed


def _listings(mention: Ints, entity: Ints, document: Ints) -> Listings:
    """Number entities anew, and sort mentions by them."""
    order = np.argsort(entity, kind="stable")
    is_first = is_new(entity[order])
    nothing = np.zeros(len(order), dtype=np.int64)
    return Listings(
        mention=mention[order],
        entity=np.cumsum(is_first) - 1,
        line=nothing,
        row=nothing,
        entity_document=document[order[is_first]],
        source="",
    )
