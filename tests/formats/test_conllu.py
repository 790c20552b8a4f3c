"""CoNLL-U, the base of CorefUD and Universal Anaphora: ids, sentences, documents."""

from __future__ import annotations

import numpy as np
import pytest

from scoref import FormatError
from scoref.formats import conllu
from scoref.formats.conllu import ConlluDocuments, Outline, TabbedLines
from scoref.formats.input_files import Lines

_TWO = b"""# newdoc id = a
# sent_id = a1 \x0b
1-2\tdel
1\tde
2\tel
2.1\t_
# newdoc id = b
3\tfin

# sent_id = first
# sent_id = last
1\tFin
"""


def _read(
    data: bytes, *, has_ranges: bool = False, ends_at_newdoc: bool = False
) -> conllu.Block:
    dialect = conllu.plain_dialect("x")._replace(
        has_ranges=has_ranges, ends_at_newdoc=ends_at_newdoc
    )
    [block] = conllu.blocks(data, "x", dialect)
    return block


def _places(block: conllu.Block) -> list[tuple[int, int, int]]:
    return [(code >> 32, code >> 12 & 15, code & 15) for code in block.code.tolist()]


def test_a_node_is_its_sentence_its_number_and_the_second_one() -> None:
    block = _read(_TWO)
    assert _places(block) == [(0, 1, 0), (0, 2, 0), (0, 2, 1), (0, 3, 0), (1, 1, 0)]
    assert block.line.tolist() == [4, 5, 6, 8, 12]


def test_a_dialect_decides_on_ranges_and_on_sentences_that_documents_end() -> None:
    block = _read(_TWO, has_ranges=True, ends_at_newdoc=True)
    assert block.line.tolist() == [3, 4, 5, 6, 8, 12]
    assert block.sentence.tolist() == [0, 0, 0, 0, 1, 2]
    assert block.newdoc == [(0, 1, "a"), (1, 7, "b")]


@pytest.mark.parametrize("ends_at_newdoc", [False, True])
def test_sentences_have_the_last_id_before_them_without_white_space(
    *, ends_at_newdoc: bool
) -> None:
    block = _read(_TWO, ends_at_newdoc=ends_at_newdoc)
    outline = Outline.of(block, ~block.id.is_empty)
    sentences = outline.sentences(ConlluDocuments.of(block.newdoc, block.sentence_line))
    assert sentences.identifier.strings() == ["a1", *[""] * ends_at_newdoc, "last"]
    assert sentences.word.strings() == ["de", "el", "fin", "Fin"]
    assert sentences.word_line.tolist() == [4, 5, 8, 12]


def test_documents_without_a_name_are_numbered_and_repeated_ones_go_on() -> None:
    repeated: list[tuple[str, int, int]] = []
    newdoc: list[conllu.Newdoc] = [(1, 5, "a"), (2, 7, None), (3, 9, "a"), (5, 20, "b")]
    lines = np.arange(1, 6)
    documents = ConlluDocuments.of(newdoc, lines, lambda *call: repeated.append(call))
    assert [name.name for name in documents.names] == ["", "a", "document 2", "b"]
    assert documents.line.tolist() == [1, 5, 7, 20]
    assert documents.of_sentence.tolist() == [0, 1, 2, 1, 1]
    assert documents.is_start.tolist() == [False, True, True, True, False]
    assert repeated == [("a", 5, 9)]


@pytest.mark.parametrize("id_", ["3.", "3-", ".1", "3.1.1", "x", "1 "])
def test_other_ids_are_refused(id_: str) -> None:
    with pytest.raises(
        FormatError, match="this line does not start with a word number and a tab"
    ) as caught:
        _read(f"1\tAda\n{id_}\tcame\n".encode())
    assert caught.value.line == 2


@pytest.mark.parametrize("id_", ["1048576", "1.4096", "1" * 40])
def test_numbers_that_no_word_can_have_are_refused(id_: str) -> None:
    with pytest.raises(
        FormatError, match="a word of a sentence cannot have this number"
    ):
        _read(f"{id_}\tAda\n".encode())


def test_numbers_are_read_up_to_where_they_end() -> None:
    lines = Lines.of(b"12,7\n" + b"9" * 40)
    value, end = conllu.digits(lines, np.array([0, 3, 2, 5]))
    assert value.tolist()[:3] == [12, 7, 0]
    assert value[3] > 10**17
    assert end.tolist() == [2, 4, 2, 45]


TEXT = b"# a\n1\tone\tx\n\n2\ttwo\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TEXT, id="as it should be"),
        pytest.param(TEXT[:-1], id="no line break at the end"),
        pytest.param(TEXT.replace(b"one", b"\x00\x01\x08"), id="control characters"),
    ],
)
def test_each_line_knows_where_its_columns_end(text: bytes) -> None:
    lines, _, column_end, first_column = TabbedLines.of(text)
    starts = lines.start.tolist()
    assert starts == [0, 4, 12, 13]
    of_line = zip(starts, lines.end.tolist(), first_column.tolist(), strict=True)
    assert [
        [place - start for place in column_end[first:].tolist() if place <= end]
        for start, end, first in of_line
    ] == [[3], [1, 5, 7], [0], [1, 5]]


def test_attributes_are_separated_by_tabs_bars_and_line_breaks() -> None:
    text = b"1\ta|b\x00 c\n2"
    separators = TabbedLines.of(text).separators
    assert [(text + b"\n")[place] for place in separators] == list(b"\t|\n\n")


def test_the_last_line_break_ends_the_last_column() -> None:
    columns = TabbedLines.of(TEXT)
    assert columns.column_end[-1] == len(TEXT) - 1
