"""`CorpusBuilder`, `Groups` and `Faults`, with which readers build a corpus."""

from __future__ import annotations

import numpy as np
import pytest

from scoref import FormatError, Note
from scoref.formats.builder import CorpusBuilder, Faults, Groups, record_faults
from scoref.model import DocumentName


def _builder() -> CorpusBuilder:
    """Add a document with two entities, whose mentions alternate."""
    builder = CorpusBuilder("x", "conll-2012")
    document = builder.add_document(DocumentName.plain("d"), line=1, tokens=9)
    first, second = builder.add_entity("a", document), builder.add_entity("b", document)
    builder.add_mention(second, [(4, 5)], line=5)
    builder.add_mention(first, [(0, 1)], line=2)
    builder.add_mention(second, [(6, 6), (8, 8)], line=8)
    return builder


def test_mentions_are_sorted_by_entity_and_keep_their_order() -> None:
    builder = _builder()
    builder.mention_type = ["x", "y", "z"]
    corpus = builder.build()
    assert corpus.mention_entity.tolist() == [0, 1, 1]
    assert corpus.mention_start.tolist() == [0, 4, 6]
    assert corpus.mention_end.tolist() == [1, 5, 8]
    assert corpus.mention_line.tolist() == [2, 5, 8]
    assert corpus.mention_order is not None
    assert corpus.mention_order.tolist() == [1, 0, 2]
    assert corpus.mention_type == ("y", "x", "z")


def test_a_mention_with_a_gap_lists_the_tokens_of_all_mentions() -> None:
    pieces = _builder().build().pieces
    assert pieces is not None
    assert pieces.start.tolist() == [0, 2, 4, 6]
    assert pieces.member.tolist() == [0, 1, 4, 5, 6, 8]


def test_mentions_may_come_as_an_array() -> None:
    builder = CorpusBuilder("x", "conll-2012")
    builder.add_document(DocumentName.plain("d"), line=1)
    builder.add_entity("a", 0)
    builder.add_entity("b", 0)
    corpus = builder.build(mentions=np.array([[1, 0, 0, 2], [0, 3, 4, 6]]))
    assert corpus.mention_start.tolist() == [3, 0]
    assert corpus.pieces is None


def test_pairs_join_names_into_groups() -> None:
    groups = Groups("abcde")
    for pair in ("ed", "db", "be"):
        groups.join(*pair)
    assert groups.lists() == [["a"], ["b", "d", "e"], ["c"]]


def _error(line: int) -> FormatError:
    return FormatError("wrong", source="x", line=line)


def test_a_strict_reader_raises_the_first_fault() -> None:
    with pytest.raises(FormatError, match="wrong"):
        Faults("x", lenient=False).report("bad-cells", _error(3))


def test_a_lenient_reader_counts_faults_by_kind() -> None:
    faults = Faults("x", lenient=True)
    for kind, line in (("bad-cells", 3), ("others", 4), ("bad-cells", 5)):
        faults.report(kind, _error(line))
    assert faults.notes() == [
        Note("bad-cells", 2, "warning: Skipped: bad cells (2, first at x:3)."),
        Note("others", 1, "warning: Skipped: others (at x:4)."),
    ]


def test_faults_are_recorded_inside_the_block_only() -> None:
    with record_faults() as record:
        faults = Faults("x", lenient=True)
        faults.report("bad-cells", _error(3))
        note = faults.note("headers", 2, _error(7), expected=" Expected one.")
    Faults("x", lenient=True).report("bad-cells", _error(9))
    assert [error.line for error in record] == [3, 7]
    assert note == Note("headers", 2, "warning: wrong (first: x:7). Expected one.")
