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

    from scoref.matching.duplicates import Mask
    from scoref.model import Ints
    from scoref.scoring.results import Result
    from scoref.tools.errors.findings import AnalysedSide, Errors
    from scoref.tools.errors.listing import ErrorCells


class Repairs(NamedTuple):
    """What a response is made of, and what is wrong with it."""

    key: AnalysedSide
    response: AnalysedSide
    cells: ErrorCells
    result: Result  # whose scheme and documents are those of the repaired ones
    unit: Ints  # by document: which of the result's it belongs to

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
        table = tabulate_spans(self._matched(repaired))
        counts = {name: known[name].count(table) for name in conll.PARTS}
        score = dataclasses.replace(
            self.result, metrics=(conll.NAME,), counts=counts, slice=None
        )
        return score.conll

    def single(self, errors: Errors) -> ErrorGains:
        """Say what each error costs by itself."""
        moves = moves_of(errors, self.key, self.cells)
        sides = np.unique(self.key.entity), np.unique(self.response.entity)
        table = tabulate_spans(self._matched(()))
        return ErrorGains(table, moves.numbered(*sides), self.result)

    def _matched(self, repaired: Collection[int]) -> Matched:
        ours = np.arange(len(self.key.row))
        named, entity, document = self.repaired(repaired)
        names = len(ours) + len(self.response.row)
        return Matched(
            documents=self.result.documents,
            mention_count=names,
            key=_listings(ours, self.key.entity, self.unit[self.key.document]),
            response=_listings(named, entity, self.unit[document]),
        )

    def repaired(self, repaired: Collection[int]) -> tuple[Ints, Ints, Ints]:
        """Give the mentions of a repaired response, their entities and documents.

        A mention goes by its place in the key; one that the key does not have, by its
        place in the response behind all of these.
        """
        is_repaired = np.isin(np.arange(len(KINDS)), list(repaired))
        home = self._homes(is_repaired)
        response = self.response
        own = response.counterpart if is_repaired[SPAN] else response.partner
        name = np.where(own >= 0, own, len(self.key.row) + np.arange(len(own)))
        entity = self._moved(is_repaired, home)
        kept = ~is_repaired[self._extra()] | (response.counterpart >= 0)
        added, of_added = self._added(is_repaired, home)
        return (
            np.concatenate((name[kept], added)),
            np.concatenate((entity[kept], of_added)),
            np.concatenate((response.document[kept], self.key.document[added])),
        )

    def _new(self, key_entity: Ints) -> Ints:
        """Number the entity that is made for one of the key's."""
        return key_entity + len(self.cells.main_of_response)

    def _homes(self, is_repaired: Mask) -> Ints:
        """Say where each entity of the key is, for the most part."""
        cells, main = self.cells, self.cells.main_of_key
        is_conflated = np.append(cells.kind, -1)[main] == CONFLATED
        new = self._new(np.arange(len(main)))
        is_new = (is_conflated & is_repaired[CONFLATED]) | (main < 0)
        return np.where(is_new, new, cells.home)

    def _moved(self, is_repaired: Mask, home: Ints) -> Ints:
        """Say where the mentions of the response are."""
        cells, response = self.cells, self.response
        cell = np.append(cells.of_mention, -1)[response.counterpart]
        kind = np.append(cells.kind, -1)[cell]
        goes_home = np.isin(kind, (CONFLATED, WRONG_LINK, DIVIDED)) & is_repaired[kind]
        target = home[np.append(cells.key, 0)[cell]] if len(home) else cell
        return np.where(goes_home, target, response.entity)

    def _extra(self) -> Ints:
        """Say which kind of extra mentions there can be in each mention's entity."""
        is_alone = self.cells.main_of_response[self.response.entity] < 0
        return np.where(is_alone, EXTRA_ENTITY, EXTRA_MENTION)

    def _added(self, is_repaired: Mask, home: Ints) -> tuple[Ints, Ints]:
        """List the mentions that are added, and where."""
        is_alone = self.cells.main_of_key[self.key.entity] < 0
        kind = np.where(is_alone, MISSING_ENTITY, MISSING_MENTION)
        is_missing = (self.key.counterpart < 0) & is_repaired[kind]
        added = np.flatnonzero(is_missing)
        return added, home[self.key.entity[added]]


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
