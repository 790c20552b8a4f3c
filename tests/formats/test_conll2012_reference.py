"""The reader of CoNLL-2012 that follows the reference scorer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoref
from scoref.formats import conll2012_reference
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus
    from scoref.scoring.results import Result
    from support.corpus_values import Mentions


def _read(text: str, only: str | None = None) -> Corpus:
    return conll2012_reference.read(text.encode(), source="x.conll", only=only)


def _document(*cells: str) -> str:
    """Write a document with a cell a row."""
    rows = "".join(f"d\tw\t{cell}\n" for cell in cells)
    return f"#begin document d\n{rows}#end document\n"


def _mentions(*cells: str) -> Mentions:
    corpus = _read(_document(*cells))
    assert not corpus.faults
    return mentions_by_document(corpus)["d"]


def _score(folder: Path, key: str, response: str) -> Result:
    paths = folder / "key.conll", folder / "response.conll"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return scoref.score(*paths, scheme="conll-2012")


def _ratios(result: Result, name: str) -> list[float]:
    sums: list[float] = result.counts[name].sum(axis=0).tolist()
    return sums


# Finding documents


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("#begin document x", ["x"]),
        ("#   begin document x", ["x"]),
        ("#\tbegin document x", ["x"]),
        ("#begin document (x); part 000", ["(x); part 000"]),
        ("#begin document (x); ", ["(x); "]),
        ("#begin document  x", [" x"]),
        ("#begin document x\r", ["x"]),
        ("#begin document ", [""]),
        (" #begin document x", []),
        ("\ufeff#begin document x", []),
        ("#begin documentx", []),
        ("#begin document\tx", []),
        ("#begin document", []),
        ("#Begin document x", []),
    ],
)
def test_a_begin_line_is_taken_to_the_letter(line: str, names: list[str]) -> None:
    corpus = _read(f"{line}\nw\t(1)\n#end document\n")
    assert [document.name for document in corpus.documents] == names


def test_the_end_of_a_document_may_be_part_of_its_name() -> None:
    name = "x #end document y"
    text = f"#begin document {name}\nw\t(1)\n#end document\n"
    assert mentions_by_document(_read(text)) == {name: {"1": [(0, 0)]}}


def test_such_a_name_ends_the_document_before_it() -> None:
    before = "#begin document d\nw\t(1)\n"  # without an end of its own
    text = f"{before}#begin document x #end document y\nw\t(2)\n#end document\n"
    mentions = mentions_by_document(_read(text))
    assert mentions == {"d": {"1": [(0, 0)]}, "x #end document y": {"2": [(0, 0)]}}


TWO_OF_ONE_NAME = (
    "#begin document d\nw\t(1)\n#end document\n"
    "#begin document d\nw\t-\nw\t(2)\n#end document\n"
)


def test_of_two_documents_with_one_name_the_last_counts() -> None:
    assert mentions_by_document(_read(TWO_OF_ONE_NAME)) == {"d": {"2": [(1, 1)]}}


def test_asked_for_one_name_the_first_such_document_counts() -> None:
    corpus = _read(TWO_OF_ONE_NAME, only="d")
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 0)]}}


def test_a_name_that_is_not_there_gives_no_document() -> None:
    assert _read(TWO_OF_ONE_NAME, only="none").documents == ()


def test_a_document_in_the_response_only_is_ignored(tmp_path: Path) -> None:
    extra = "#begin document e\nw\t1)\n#end document\n"
    result = _score(tmp_path, _document("(1)", "(1)"), _document("(1)", "(1)") + extra)
    assert result.documents == ("d",)
    assert _ratios(result, "muc") == [1, 1, 1, 1]


def test_a_document_in_the_key_only_is_scored_as_empty(tmp_path: Path) -> None:
    extra = "#begin document e\nw\t(1)\nw\t(1)\nw\t(1)\n#end document\n"
    result = _score(tmp_path, _document("(1)", "(1)") + extra, _document("(1)", "(1)"))
    assert _ratios(result, "muc") == [1, 3, 1, 1]


def test_part_000_and_part_0_are_two_names(tmp_path: Path) -> None:
    key = _document("(1)", "(1)").replace("document d", "document (d); part 000")
    result = _score(tmp_path, key, key.replace("000", "0"))
    assert _ratios(result, "mentions") == [0, 2, 0, 0]


@pytest.mark.parametrize("text", ["", "\n", "\r\n", "w\t(1)\n"])
def test_a_file_without_documents_scores_nothing(tmp_path: Path, text: str) -> None:
    result = _score(tmp_path, text, _document("(1)"))
    assert result.documents == ()
    assert _ratios(result, "bcub") == [0, 0, 0, 0]


# The end of a document


@pytest.mark.parametrize(
    "line",
    ["#end document", "# end document", "word #end document x", " #end document"],
)
def test_an_end_line_holds_its_words_anywhere(line: str) -> None:
    corpus = _read(f"#begin document d\nw\t(1)\n{line}\nw\t(1)\n")
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 0)]}}


def test_a_document_runs_through_begin_lines_to_the_first_end_line() -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t(1)\n#end document\n"
    corpus = _read(text)
    expected = {"a": {"1": [(0, 0), (2, 2)]}, "b": {"1": [(0, 0)]}}
    assert mentions_by_document(corpus) == expected
    assert tokens_by_document(corpus) == {"a": 3, "b": 1}


def test_a_begin_line_inside_a_document_is_searched_for_brackets() -> None:
    text = "#begin document a\nw\t-\n#begin document (7); part 000\n#end document\n"
    expected: dict[str, Mentions] = {"a": {"7": [(1, 1)]}, "(7); part 000": {}}
    assert mentions_by_document(_read(text)) == expected


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        ("mentions", [5, 8]),
        ("muc", [3, 6]),
        ("bcub", [3.8, 8]),
        ("ceafe", [11 / 7, 2]),
    ],
)
def test_a_missing_end_line_costs_precision(
    tmp_path: Path, name: str, precision: list[float]
) -> None:
    first = "#begin document a\nw\t(0)\nw\t(0)\n"
    second = "#begin document b\nw\t(0)\nw\t(0)\nw\t(0)\n#end document\n"
    result = _score(tmp_path, first + "#end document\n" + second, first + second)
    assert _ratios(result, name)[2:] == pytest.approx(precision, rel=1e-12)


def test_blanc_counts_the_links_of_a_document_that_runs_on(tmp_path: Path) -> None:
    first = "#begin document a\nw\t(0)\nw\t(0)\n"
    second = "#begin document b\nw\t(0)\nw\t(0)\nw\t(0)\n#end document\n"
    result = _score(tmp_path, first + "#end document\n" + second, first + second)
    assert _ratios(result, "blanc") == [4, 4, 13, 0, 0, 0]


# Rows


def test_blank_lines_are_not_tokens() -> None:
    corpus = _read("#begin document d\nw\t(1\n\n \t \nw\t1)\n#end document\n")
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 1)]}}


def test_comments_are_tokens(tmp_path: Path) -> None:
    key = "#begin document d\n# comment\nw\t(0)\nw\t(0)\n#end document\n"
    result = _score(tmp_path, key, _document("(0)", "(0)"))
    assert _ratios(result, "mentions") == [1, 2, 1, 2]
    assert _ratios(result, "muc") == [0, 1, 0, 1]
    assert _ratios(result, "bcub") == [0.5, 2, 0.5, 2]


def test_the_number_of_tokens_may_differ(tmp_path: Path) -> None:
    result = _score(tmp_path, _document("(0)", "(0)", "-"), _document("(0)", "(0)"))
    assert _ratios(result, "muc") == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("row", "mentions"),
    [
        ("d\tw\t(1)", {"1": [(0, 0)]}),
        ("d\tw\t(1)\t", {"1": [(0, 0)]}),
        ("d\tw\t(1)\t\t\t", {"1": [(0, 0)]}),
        ("d\t(2)\t", {"2": [(0, 0)]}),
        ("d\tw\t(1)\t ", {}),
        ("(2)\tw\t-", {}),
        ("d w (1)", {"1": [(0, 0)]}),
        ("d (2008) (1)", {"2008": [(0, 0)], "1": [(0, 0)]}),
        ("d\tw\t(1)\r", {"1": [(0, 0)]}),
        ("d\tw\t(1)\t\r", {}),  # the return is the last field
        ("d\tw\t(1)\t\t\r", {}),
        ("d\tw\t1)\t\r", {}),
        ("d\tw\t(1)\r\r", {"1": [(0, 0)]}),
    ],
)
def test_a_row_is_split_at_tabs_and_its_last_field_counts(
    row: str, mentions: Mentions
) -> None:
    corpus = _read(f"#begin document d\n{row}\n#end document\n")
    assert mentions_by_document(corpus) == {"d": mentions}


def test_a_word_in_brackets_between_blanks_is_a_mention(tmp_path: Path) -> None:
    text = "#begin document d\nd (2008) (0)\nd w (0)\n#end document\n"
    result = _score(tmp_path, text, text)
    assert _ratios(result, "muc")[:2] == [0, 1]
    assert _ratios(result, "bcub")[:2] == [1, 3]
    assert _ratios(result, "ceafm")[:2] == [2, 3]


# Cells


@pytest.mark.parametrize(
    ("cells", "mentions"),
    [
        (("_",), {}),
        (("-",), {}),
        (("*",), {}),
        (("(1+2)",), {}),
        (("(1+2)|(3)",), {"3": [(0, 0)]}),
        (("(0", "(0", "0)", "0)"), {"0": [(1, 2), (0, 3)]}),
        (("(0", "0)|(0", "0)"), {"0": [(1, 1), (0, 2)]}),
        (("(0", "(1", "0)", "1)"), {"0": [(0, 2)], "1": [(1, 3)]}),
        (("(0|(0)", "0)"), {"0": [(0, 0), (0, 1)]}),
        (("(1(2)3)",), {"2": [(0, 0)], "13": [(0, 0)]}),
        (("(a)",), {}),
        (("( 1 )",), {}),
        (("(٣)",), {}),
        (("x(1)y;(2)*",), {"1": [(0, 0)], "2": [(0, 0)]}),
        (("0|(1", "1)"), {"1": [(0, 1)]}),
        (("(1)(2)",), {"1": [(0, 0)], "2": [(0, 0)]}),
    ],
)
def test_four_passes_take_brackets_out_of_a_cell(
    cells: tuple[str, ...], mentions: Mentions
) -> None:
    assert _mentions(*cells) == mentions


def test_labels_are_strings_of_digits() -> None:
    mentions = {"1": [(0, 0)], "01": [(1, 1)], "001": [(2, 2)]}
    assert _mentions("(1)", "(01)", "(001)") == mentions


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (("(1|(0)", "1)"), ["0", "1"]),
        (("(3", "3)|(2|(1)", "2)"), ["3", "1", "2"]),
        (("(1)|(0)",), ["1", "0"]),
    ],
)
def test_entities_are_numbered_by_singles_then_opens(
    cells: tuple[str, ...], labels: list[str]
) -> None:
    assert list(_mentions(*cells)) == labels


# Errors


@pytest.mark.parametrize(
    ("cell", "label"), [("(e1)", "1"), ("(-1)", "1"), ("7)", "7"), ("(1+23)", "23")]
)
def test_a_close_without_an_open_is_a_fault(cell: str, label: str) -> None:
    (fault,) = _read(_document("-", cell)).faults.values()
    assert fault.problem == f"entity {label} is closed here but was never opened"
    assert (fault.source, fault.line, fault.text) == ("x.conll", 3, f"d\tw\t{cell}")


@pytest.mark.parametrize("cell", ["(1a)", "(1"])
def test_an_open_without_a_close_is_a_fault_at_the_end_line(cell: str) -> None:
    (fault,) = _read(_document("-", cell)).faults.values()
    assert fault.problem == "entity 1 is opened here but never closed"
    assert (fault.source, fault.line, fault.text) == ("x.conll", 3, f"d\tw\t{cell}")


def test_an_open_without_a_close_is_dropped_at_the_end_of_the_file() -> None:
    corpus = _read("#begin document d\nw\t(1\nw\t(2)\n")
    assert not corpus.faults
    assert mentions_by_document(corpus) == {"d": {"1": [], "2": [(1, 1)]}}


def test_a_fault_is_raised_where_its_document_is_scored(tmp_path: Path) -> None:
    with pytest.raises(scoref.FormatError) as caught:
        _score(tmp_path, _document("(1)", "(1)"), _document("(1)", "1)"))
    assert str(caught.value) == (
        f"{tmp_path / 'response.conll'}:3: "
        "entity 1 is closed here but was never opened\n"
        "    d w 1)\n"
        "  hint: The reference scorer rejects such a document. 'scoref KEY RESPONSE' "
        "may read it, with --lenient if necessary."
    )


def test_double_antecedents_are_listed_as_discarded() -> None:
    text = _document("(1+2)|(3)", "(14+5)").encode()
    assert conll2012_reference.discarded_labels(text) == {"d": ["(1+2)", "(14+5)"]}


def _parse_by_passes(text: bytes) -> list[list[bytes]]:
    """Remove the leftmost match again and again, for each kind of bracket in turn."""
    kinds: list[list[bytes]] = []
    for pattern in (rb"\((\d+\+\d)\)", rb"\((\d+)\)", rb"\((\d+)", rb"(\d+)\)"):
        kinds.append([])
        while match := re.search(pattern, text):
            kinds[-1].append(match[1])
            text = text[: match.start()] + text[match.end() :]
    return kinds[1:]


@given(st.text("(()12+a|)").map(str.encode))
@example(b"(1+(2+3)4)")
@example(b"(1(2(3)4)5)6)")
def test_cells_are_parsed_as_by_passes_that_remove_brackets(text: bytes) -> None:
    cell = conll2012_reference._parse_cell(text)  # noqa: SLF001 - on cells, not files
    kinds = [*map(list, (cell.single, cell.opening, cell.closing))]
    assert kinds == _parse_by_passes(text)
