"""A response in which some kinds of errors are repaired, and its CoNLL score.

A repair changes only the mentions of its errors. The *home* of a key entity is the
response entity that has most of its mentions (its main cell):

    span               the mention gets the key's words, and stays in its entity
    conflated-entity   the mentions of the cell become an entity, which is their home
    wrong-link         they go home
    divided-entity     they go home
    extra-…            they are removed
    missing-mention    it is added to its home
    missing-entity     its mentions are added as an entity

Other repairs affect a repair only by changing where home is. So any set of kinds can be
repaired, in any order, and repairing all kinds produces the key.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.tabulation import tabulate_spans
from scoref.matching import Matched
from scoref.matching import Side as Listings
from scoref.metrics import conll, metrics_of
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
    from collections.abc import Collection

    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.tools.errors.findings import AnalysedSide, Errors
    from scoref.tools.errors.listing import ErrorCells


class Repairs(NamedTuple):
    """A response and its errors, to be repaired."""

    key: AnalysedSide
    response: AnalysedSide
    cells: ErrorCells
    result: Result  # with the scheme and documents of repaired responses
    unit: Ints  # by document: the document of the result that it belongs to

    def gains(self, count: Ints) -> Gains:
        """Score the response with each kind repaired, and with one after another."""
        before = self.conll(())
        alone: list[float] = []
        cumulative: list[float] = []
        repaired: list[int] = []
        for kind in range(len(KINDS)):
            last = cumulative[-1] if cumulative else before
            if not count[kind]:
                alone.append(before)
                cumulative.append(last)
                continue
            alone.append(self.conll((kind,)))
            repaired.append(kind)
            cumulative.append(self.conll(repaired) if repaired[1:] else alone[-1])
        return Gains(count, before, np.array(alone), np.array(cumulative))

    def conll(self, repaired: Collection[int]) -> float:
        """Score the response with some kinds repaired."""
        known = metrics_of(self.result.scheme)
        table = tabulate_spans(self._match(repaired))
        counts = {name: known[name].count(table) for name in conll.PARTS}
        score = dataclasses.replace(
            self.result, metrics=(conll.NAME,), counts=counts, slice=None
        )
        return score.conll

    def error_gains(self, errors: Errors) -> ErrorGains:
        """Return what each error costs by itself."""
        moves = moves_of(errors, self.key, self.cells)
        sides = np.unique(self.key.entity), np.unique(self.response.entity)
        table = tabulate_spans(self._match(()))
        return ErrorGains(table, moves.numbered(*sides), self.result)

    def _match(self, repaired: Collection[int]) -> Matched:
        ours = np.arange(len(self.key.row))
        mention, entity, document = self.repair(repaired)
        return Matched(
            documents=self.result.documents,
            mention_count=len(ours) + len(self.response.row),
            key=_listings(ours, self.key.entity, self.unit[self.key.document]),
            response=_listings(mention, entity, self.unit[document]),
        )

    def repair(self, repaired: Collection[int]) -> tuple[Ints, Ints, Ints]:
        """Return the mentions of a repaired response, their entities and documents.

        A mention is its place in the key. A mention that the key does not have is its
        place in the response, counted on from the last mention of the key.
        """
        key, response, cells = self.key, self.response, self.cells
        is_repaired = np.isin(np.arange(len(KINDS)), list(repaired))

        # Where each entity of the key is at home. New entities follow the others.
        main = cells.main_of_key
        is_conflated = np.append(cells.kind, -1)[main] == CONFLATED
        is_new = (is_conflated & is_repaired[CONFLATED]) | (main < 0)
        new = len(cells.main_of_response) + np.arange(len(main))
        home = np.where(is_new, new, cells.home)

        # The mentions of the response get their words and their entities.
        partner = response.counterpart if is_repaired[SPAN] else response.partner
        extra = len(key.row) + np.arange(len(partner))
        mention = np.where(partner >= 0, partner, extra)
        cell = np.append(cells.of_mention, -1)[response.counterpart]
        kind = np.append(cells.kind, -1)[cell]
        goes_home = np.isin(kind, (CONFLATED, WRONG_LINK, DIVIDED)) & is_repaired[kind]
        target = home[np.append(cells.key, 0)[cell]] if len(home) else cell
        entity = np.where(goes_home, target, response.entity)

        # Extra mentions are removed, missing ones are added.
        is_alone = cells.main_of_response[response.entity] < 0
        kind = np.where(is_alone, EXTRA_ENTITY, EXTRA_MENTION)
        kept = ~is_repaired[kind] | (response.counterpart >= 0)
        is_alone = cells.main_of_key[key.entity] < 0
        kind = np.where(is_alone, MISSING_ENTITY, MISSING_MENTION)
        added = np.flatnonzero((key.counterpart < 0) & is_repaired[kind])
        return (
            np.concatenate((mention[kept], added)),
            np.concatenate((entity[kept], home[key.entity[added]])),
            np.concatenate((response.document[kept], key.document[added])),
        )


def _listings(mention: Ints, entity: Ints, document: Ints) -> Listings:
    """Number entities anew, and sort mentions by them."""
    _, first, number = np.unique(entity, return_index=True, return_inverse=True)
    order = np.argsort(number, kind="stable")
    nothing = np.zeros(len(order), dtype=np.int64)
    return Listings(
        mention=mention[order],
        entity=number[order],
        line=nothing,
        row=nothing,
        entity_document=document[first],
        source="",
    )
