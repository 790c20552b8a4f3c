"""Blocks of entities: what is connected, and counts that add up to the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import scoref
from scoref import OptionError
from scoref.contingency.partition import in_blocks
from scoref.contingency.tabulation import tabulate
from scoref.formats.entities import EntityPairs
from scoref.matching.spans import match_mentions
from scoref.scheme import Scheme
from support.corefud import annotated
from support.strategies import (
    Documents,
    Entities,
    corpora,
    entities,
    repeating_entities,
)
from support.universal_anaphora import universal

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.contingency import Contingency

OF_BLOCKS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")


def table_of(key: Entities | Documents, response: Entities | Documents) -> Contingency:
    matched = match_mentions(*EntityPairs.of(key, response).build(), Scheme())
    return tabulate(matched, Scheme())


def check_sums(key: Entities | Documents, response: Entities | Documents) -> None:
    """See that counts add up over blocks to what they are over documents."""
    result = scoref.score(key, response, metrics=OF_BLOCKS, with_blocks=True)
    assert result._blocks is not None
    for metric, counts in result._blocks.items():
        whole = result.counts[metric].sum(axis=0)
        assert counts.sum(axis=0) == pytest.approx(whole, abs=1e-9), metric


def partition(labels: list[int]) -> set[frozenset[int]]:
    """Write labels as sets of those that have the same one."""
    groups: dict[int, set[int]] = {}
    for node, label in enumerate(labels):
        groups.setdefault(label, set()).add(node)
    return {frozenset(group) for group in groups.values()}


def test_entities_that_share_mentions_by_way_of_others_are_one_block() -> None:
    # abc shares a with the first and bc with the second; de is a block of its own.
    key = [["a", "b", "c"], ["d", "e"], ["x"]]
    response = [["a", "y"], ["b", "c"], ["d", "e"], ["z"]]
    result = scoref.score(key, response, metrics="muc", with_blocks=True)
    assert result._blocks is not None
    assert sorted(result._blocks["muc"].tolist()) == [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [1, 2, 1, 2],
    ]


@given(corpus=corpora())
def test_blocks_are_connected_components(corpus: tuple[Documents, Documents]) -> None:
    table = table_of(*corpus)
    keys, nodes = len(table.key_size), len(table.key_size) + len(table.response_size)
    cells = table.cell_key, table.cell_response + keys
    graph = coo_array((np.ones(len(table.cell_key)), cells), shape=(nodes, nodes))
    count, labels = connected_components(graph, directed=False)
    blocks = in_blocks(table)
    found = [*blocks.key_document.tolist(), *blocks.response_document.tolist()]
    assert blocks.document_count == (count if nodes else 0)
    assert partition(found) == partition(labels.tolist())


def test_a_long_chain_of_entities_is_one_block() -> None:
    mentions = range(400)
    key = [[mention, mention + 1] for mention in mentions[::2]]
    response = [[mention, mention + 1] for mention in mentions[1::2]]
    shuffled = np.random.default_rng(1).permutation(len(key)).tolist()
    blocks = in_blocks(table_of([key[place] for place in shuffled], response))
    assert blocks.document_count == 1


@given(corpus=corpora())
def test_blocks_add_up_to_the_whole(corpus: tuple[Documents, Documents]) -> None:
    check_sums(*corpus)


def test_every_metric_but_blanc_has_blocks() -> None:
    result = scoref.score([["a", "b"]], [["a"]], with_blocks=True)
    assert result._blocks is not None
    assert tuple(result._blocks) == OF_BLOCKS


def test_a_metric_that_repeated_mentions_keep_from_adding_up_has_no_blocks() -> None:
    result = scoref.score([], [[0, 0]], with_blocks=True)
    assert result._blocks is not None
    assert "mentions" not in result._blocks


@given(key=repeating_entities(), response=repeating_entities())
def test_blocks_add_up_where_mentions_are_listed_twice(
    key: Entities, response: Entities
) -> None:
    check_sums(key, response)


@given(key=entities(), response=entities())
def test_no_block_lies_in_two_documents(key: Entities, response: Entities) -> None:
    alone = in_blocks(table_of(key, response)).document_count
    both = in_blocks(table_of({"a": key, "b": key}, {"a": response, "b": response}))
    assert both.document_count == 2 * alone


def test_without_being_asked_for_blocks_are_not_counted() -> None:
    assert scoref.score([["a", "b"]], [["a", "b"]])._blocks is None


def test_links_across_entities_have_no_blocks() -> None:
    result = scoref.score([["a", "b"]], [["a", "b"]], with_blocks=True)
    assert result._blocks is not None
    assert tuple(result._blocks) == OF_BLOCKS


def test_blocks_of_corefud_add_up(tmp_path: Path) -> None:
    words = "w w w w w w w w"
    paths = []
    for name, entities_of in (
        ("key", {"e1": "1 3-4 6", "e2": "2 8"}),
        ("response", {"e1": "1 3-4", "e2": "2 6 8"}),
    ):
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(annotated(words, **entities_of).text())
    result = scoref.score(*paths, with_blocks=True)
    assert result._blocks is not None
    for metric in OF_BLOCKS:
        whole = result.counts[metric].sum(axis=0)
        assert result._blocks[metric].sum(axis=0) == pytest.approx(whole, abs=1e-9)


def test_plurals_tie_entities_together_and_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.ua"
    path.write_text(universal("w w w w w", a="1 5", b="2", both="3 of a b"))
    with pytest.raises(OptionError, match="split_antecedents=drop"):
        scoref.score(path, path, with_blocks=True)
    result = scoref.score(path, path, with_blocks=True, split_antecedents="drop")
    assert result._blocks is not None
