"""The statistics that CRAC prints of CorefUD files, and the range of entities.

They are defined as in udapi's block ``corefud.Stats``, whose names they have. Shares
are percentages of all mentions or entities:

mention length
    Words of a mention, without empty nodes.
with_empty
    Mentions with an empty node.
with_gaps
    Mentions with a gap, which may be an empty node.
nontreelet
    Mentions with two or more nodes whose parent is outside the mention. The parents of
    empty nodes are in DEPS.
entity
    The mentions with an id in the file. Ids in a field GRP are valid in a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.contingency.memberships import Listings
from scoref.errors import FormatError
from scoref.formats import conllu, input_files, reading
from scoref.formats.catalogue import COREFUD
from scoref.formats.corefud_brackets import entity_headers
from scoref.formats.input_files import without_bom
from scoref.model import EMPTY, packed_text
from scoref.model.text import place_codes
from scoref.render.report import Report, Table, columns
from scoref.scoring.mention_classes import entity_ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoref.formats.catalogue import Role
    from scoref.formats.inputs import Path
    from scoref.model import Corpus, Ints
    from scoref.render.report import Part, Unscored

_LONGEST = 5
"""Longer mentions and larger entities are counted together."""

_PARTS_OF_SPEECH = ("NOUN", "PRON", "PROPN", "DET", "ADJ", "VERB", "ADV", "NUM", "_")
_PERCENTILE = 95

Figures = dict[str, float]


class _Nodes(NamedTuple):
    """All words and empty nodes of a file, in order, and the edges of the trees.

    An edge leads from a node to a parent, as rows; the root is not a row. An empty node
    may have several parents.
    """

    code: Ints
    child: Ints
    parent: Ints

    @classmethod
    def read(cls, data: bytes, source: str) -> _Nodes:
        """Read nodes and their parents."""
        codes, children, parents = [], [], []
        for block in conllu.blocks(without_bom(data), source):
            code = block.code
            is_empty = (code & EMPTY) > 0
            words, empties = np.flatnonzero(~is_empty), np.flatnonzero(is_empty)
            head, _ = conllu.digits(block.lines, block.column(words, conllu.HEAD)[0])
            words, head = words[head > 0], head[head > 0]
            sentence = block.sentence[words]
            codes.append(code)
            children.append(code[words])
            parents.append(place_codes(sentence, head, np.zeros_like(head)))
            deps = block.texts(empties, conllu.DEPS).strings()
            for node, cell in zip(empties.tolist(), deps, strict=True):
                word, empty = _heads_in(cell)
                sentence = np.repeat(block.sentence[node], len(word))
                children.append(np.repeat(code[node], len(word)))
                parents.append(place_codes(sentence, word, empty))
        code = np.sort(np.concatenate(codes))
        child, parent = np.concatenate(children), np.concatenate(parents)
        row = np.searchsorted(code, parent)
        is_node = code.take(row, mode="clip") == parent
        return cls(code, np.searchsorted(code, child)[is_node], row[is_node])


def _heads_in(deps: str) -> tuple[Ints, Ints]:
    """Return both numbers of the heads in DEPS."""
    heads = []
    for item in deps.split("|"):
        word, _, empty = item.partition(":")[0].partition(".")
        if word.isdigit() and (empty or "0").isdigit():
            heads.append((int(word), int(empty or 0)))
    first, second = np.array(heads, dtype=np.int64).reshape(-1, 2).T
    return first, second


def crac_figures(
    path: Path, *, is_lenient: bool = False, side: Role = "key"
) -> Figures:
    """Return the figures of a CorefUD file by name."""
    data, source = input_files.read_bytes(path), input_files.name_of(path)
    name = reading.detect(data)
    if name != COREFUD and data.strip():
        raise FormatError(
            f"this file is {name}",
            source=source,
            hint="--profile crac needs CorefUD, because it counts trees and empty "
            "nodes. Leave it out for other formats.",
        )
    corpus = reading.read_data(
        data,
        source=source,
        role=side,
        format=COREFUD,
        reading="lenient" if is_lenient else "strict",
    )
    for fault in corpus.faults.values():
        raise fault
    nodes = _Nodes.read(data, source)
    is_local = any("GRP" in header for header, _ in entity_headers(data))
    return {
        **_count_text(corpus, nodes),
        **_count_entities(corpus, nodes, is_local=is_local),
        **_count_mentions(corpus, nodes),
    }


def _count_text(corpus: Corpus, nodes: _Nodes) -> Figures:
    is_empty = (nodes.code & EMPTY) > 0
    words, documents = int((~is_empty).sum()), len(corpus.documents)
    return {
        "docs": documents,
        "sents": len(corpus.words.sentences.line) if corpus.words else 0,
        "words": words,
        "empty": int(is_empty.sum()),
        "words_per_doc": words / max(documents, 1),
    }


def _shares(sizes: Ints, first: int, name: str) -> Figures:
    """Return the share of each size; the last name ends in a plus."""
    counts = np.bincount(np.minimum(sizes, _LONGEST), minlength=_LONGEST + 1)
    return {
        f"{name}_{size}{'+' if size == _LONGEST else ''}": 100
        * int(counts[size])
        / max(len(sizes), 1)
        for size in range(first, _LONGEST + 1)
    }


def _count_entities(corpus: Corpus, nodes: _Nodes, *, is_local: bool) -> Figures:
    """Count entities by their size, and the range of those with several mentions."""
    entity = corpus.mention_entity
    if not is_local:
        labels = np.array(corpus.entity_label, dtype=object)
        entity = np.unique(labels[entity].astype(str), return_inverse=True)[1]
    sizes = np.bincount(entity)
    sizes = sizes[sizes > 0]
    nothing, no_flag = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    row = np.arange(len(entity))
    side = Listings(
        corpus, row, corpus.mention_entity, nothing, nothing, no_flag, no_flag
    )
    size = np.bincount(corpus.mention_entity, minlength=len(corpus.entity_label))
    ranges = np.sort(entity_ranges(side, len(size))[size > 1])
    place = -(-_PERCENTILE * len(ranges) // 100) - 1
    return {
        "entities": len(sizes),
        "entities_per1k": 1000 * len(sizes) / max(_word_count(nodes), 1),
        "longest_entity": int(sizes.max(initial=0)),
        "avg_entity": len(entity) / max(len(sizes), 1),
        **_shares(sizes, 1, "c_len"),
        "entity_range_p95": int(ranges[place]) if len(ranges) else 0,
    }


def _word_count(nodes: _Nodes) -> int:
    return int(((nodes.code & EMPTY) == 0).sum())


def _count_mentions(corpus: Corpus, nodes: _Nodes) -> Figures:
    """Count mentions by their length, and those that are special in some way."""
    words = corpus.words
    assert words is not None  # in CorefUD, mentions are sets of words
    count = len(words.head)
    # Pieces of a mention may overlap, so that a node occurs twice.
    total = len(nodes.code)
    owner = np.repeat(np.arange(count), words.length)
    pair = np.unique(owner * total + np.searchsorted(nodes.code, words.member))
    owner, node = pair // total, pair % total
    is_empty = (nodes.code[node] & EMPTY) > 0
    length = np.bincount(owner[~is_empty], minlength=count)
    is_gap = (np.diff(owner) == 0) & (np.diff(node) > 1)
    upos = {packed_text(name): name for name in _PARTS_OF_SPEECH}
    heads = dict.fromkeys((*_PARTS_OF_SPEECH, "other"), 0)
    for value, zero in zip(
        words.head_upos.tolist(), words.is_zero.tolist(), strict=True
    ):
        name = upos.get(value, "other")
        # A word without a part of speech is not like an empty node without one.
        heads["other" if name == "_" and not zero else name] += 1

    def share(rows: Ints) -> float:
        return 100 * len(np.unique(rows)) / max(count, 1)

    return {
        "mentions": count,
        "mentions_per1k": 1000 * count / max(_word_count(nodes), 1),
        "longest_mention": int(length.max(initial=0)),
        "avg_mention": int(length.sum()) / max(count, 1),
        **_shares(length, 0, "m_len"),
        "with_empty": share(owner[is_empty]),
        "with_gaps": share(owner[1:][is_gap]),
        "nontreelet": share(_non_treelets(pair, nodes, total)),
        **{
            f"head_upos={name}": 100 * number / max(count, 1)
            for name, number in heads.items()
        },
    }


def _non_treelets(pair: Ints, nodes: _Nodes, total: int) -> Ints:
    """Return the mentions in which two nodes or more have no parent."""
    order = np.argsort(nodes.child, kind="stable")
    child, parent = nodes.child[order], nodes.parent[order]
    owner, node = pair // total, pair % total
    start = np.searchsorted(child, node)
    number = np.searchsorted(child, node, side="right") - start
    at = np.repeat(np.arange(len(pair)), number)
    edge = np.arange(len(at)) - np.repeat(np.cumsum(number) - number, number)
    edge += np.repeat(start, number)
    is_inside = np.isin(owner[at] * total + parent[edge], pair)
    has_parent = np.zeros(len(pair), dtype=np.bool_)
    has_parent[at[is_inside]] = True
    return np.flatnonzero(np.bincount(owner[~has_parent]) > 1)


_WHOLE = frozenset(
    (
        *("docs", "sents", "words", "empty", "entities", "longest_entity", "mentions"),
        *("longest_mention", "entity_range_p95", "entities_per1k", "mentions_per1k"),
        "words_per_doc",
    )
)
"""Figures that are shown without decimals, as udapi does; others have one."""


def shown_figure(name: str, value: float) -> str:
    """Write a figure as udapi does."""
    return f"{value:.0f}" if name in _WHOLE else f"{value:.1f}"


def crac_report(
    files: Mapping[str, Figures], failures: Sequence[Unscored] = ()
) -> Report:
    """Report the figures of files, with a row for each file."""

    def parts() -> list[Part]:
        if not files:
            return []
        names = list(next(iter(files.values())))
        rows = [
            [file, *(shown_figure(name, figures[name]) for name in names)]
            for file, figures in files.items()
        ]
        return [Table(columns("file", *names), rows)]

    return Report(
        name="crac-statistics",
        parts=parts,
        objects=lambda: [{"file": file, **row} for file, row in files.items()],
        failures=failures,
    )
