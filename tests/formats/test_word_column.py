"""Tests of the checksums of the column of words in CoNLL-2012."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoref.formats import conll2012, conll2012_reference
from scoref.formats.input_files import Lines
from scoref.formats.tokens import conll2012_word
from scoref.formats.word_column import WordColumn

if TYPE_CHECKING:
    from types import ModuleType

ROWS = [
    "d\t0\t0\tAda\tNNP\t(0)",
    "d\t0\t1\t\tNN\t-",
    "d\t0\t2\tan exceptionally long word with blanks\tNN\t-",
    "d\t0\t3\tAda\t-",
    "Ada\t(0)",
    "0\tAda\t-",
    "d\t0\t4\tAda\tNNP\t*\t\t",
    "\tAda\t",
]


def codes_of(rows: list[str]) -> list[int]:
    lines = Lines.of("\n".join(rows).encode())
    codes: list[int] = WordColumn.of(lines, np.arange(len(lines))).code.tolist()
    return codes


@pytest.mark.parametrize("is_even", [True, False])
def test_equal_words_have_equal_codes(is_even: bool) -> None:
    rows = [row for row in ROWS if not is_even or row.count("\t") == 5]
    words = [conll2012_word(row.encode()) for row in rows]
    codes = codes_of(rows)
    assert len(set(codes)) == len(set(words)) > 1
    assert len(set(zip(codes, words, strict=True))) == len(set(words))


def test_blanks_separate_columns_as_well() -> None:
    rows = ["d  0 0   Ada NNP (0)", " d 0 1 fell VBD -", "Ada (0)", "d 0 2 fell", "Ada"]
    codes = codes_of(rows)
    assert codes[0] == codes[2] == codes[4] != codes[1]
    assert codes[0] == codes_of(ROWS)[0]


def test_a_row_without_tabs_among_others_is_a_word() -> None:
    rows = ["Ada", "d\t0\t0\tAda\tNNP\t(0)", "Ada"]
    assert len(set(codes_of(rows))) == 1


def test_tabs_are_counted() -> None:
    lines = Lines.of("\n".join([*ROWS, "Ada"]).encode())
    tabs = WordColumn.of(lines, np.arange(len(lines))).tabs
    assert tabs.tolist() == [row.count("\t") for row in [*ROWS, "Ada"]]


@pytest.mark.parametrize("reader", [conll2012, conll2012_reference])
def test_documents_have_checksums_of_their_words(reader: ModuleType) -> None:
    def document(name: str, *words: str, cell: str = "(0)") -> str:
        rows = [f"{name}\t0\t{n}\t{word}\t-\t{cell}" for n, word in enumerate(words)]
        return "\n".join((f"#begin document {name}", *rows, "", "#end document", ""))

    text = document("a", "Ada", "fell") + document("b", "Ada", "fell", cell="-")
    text += document("c", "fell", "Ada") + document("d")
    first, second, third, fourth = reader.read(
        text.encode(), source="k"
    ).document_checksum
    assert first == second != third
    assert fourth == 0


def test_the_checksums_of_many_rows_do_not_depend_on_their_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = ROWS * 5
    whole = codes_of(rows)
    monkeypatch.setattr("scoref.formats.word_column._ROWS", 3)
    assert codes_of(rows) == whole
