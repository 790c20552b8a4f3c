"""The strict and lenient reader of CoNLL-2012: layouts, documents and faults."""

from __future__ import annotations

import gzip
import lzma
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scoref import FormatError, Note
from scoref.formats import conll2012, reading
from scoref.formats.builder import record_faults
from support.corpus_values import mentions_by_document, tokens_by_document

if TYPE_CHECKING:
    from pathlib import Path

    from scoref.model import Corpus
    from support.corpus_values import Mentions


def _read(text: str) -> Corpus:
    return conll2012.read(text.encode(), source="x.conll")


def _document(*cells: str) -> str:
    """Write a document with a cell a row."""
    rows = "".join(f"d\t0\t{n}\tw\t{cell}\n" for n, cell in enumerate(cells))
    return f"#begin document (d); part 000\n{rows}#end document\n"


def _mentions(text: str) -> Mentions:
    """Read the mentions of a text with one document."""
    (mentions,) = mentions_by_document(_read(text)).values()
    return mentions


@pytest.mark.parametrize(
    ("cells", "mentions"),
    [
        (("(1)", "-", "(1)"), {"1": [(0, 0), (2, 2)]}),
        (("(1", "-", "1)"), {"1": [(0, 2)]}),
        (("(1|(2)", "1)"), {"1": [(0, 1)], "2": [(0, 0)]}),
        (("(1", "(1", "1)", "1)"), {"1": [(1, 2), (0, 3)]}),
        (("(1", "(2", "1)", "2)"), {"1": [(0, 2)], "2": [(1, 3)]}),
        (("(1(2(3)", "2)1)"), {"3": [(0, 0)], "1": [(0, 1)], "2": [(0, 1)]}),
        (("(1", "1)|(1", "1)"), {"1": [(1, 1), (0, 2)]}),
        (("(person-6)", "(Ün)"), {"person-6": [(0, 0)], "Ün": [(1, 1)]}),
        (("(1)", "(01)", "(001)"), {"1": [(0, 0)], "01": [(1, 1)], "001": [(2, 2)]}),
        (("(a b", "a b)"), {"a b": [(0, 1)]}),
        (("(1)|", "|(1)"), {"1": [(0, 0), (1, 1)]}),
    ],
)
def test_brackets_become_mentions(cells: tuple[str, ...], mentions: Mentions) -> None:
    assert _mentions(_document(*cells)) == mentions


@pytest.mark.parametrize("nothing", ["-", "_", "*", ""])
def test_four_marks_mean_that_no_mention_starts_or_ends(nothing: str) -> None:
    assert _mentions(_document("(1", nothing, "1)")) == {"1": [(0, 2)]}


@pytest.mark.parametrize(
    "separator", ["\t", " ", "     ", " \t"], ids=["tab", "blank", "blanks", "both"]
)
def test_columns_are_separated_by_tabs_or_blanks(separator: str) -> None:
    rows = [["d", "0", "0", "(2008)", "(1"], ["d", "0", "1", "w)", "1)"]]
    lines = "\n".join(separator.join(row) for row in rows)
    text = f"#begin document (d); part 000\n{lines}\n#end document\n"
    assert _mentions(text) == {"1": [(0, 1)]}


@pytest.mark.parametrize("columns", [1, 2, 3, 12, 40])
def test_the_last_column_counts_however_many_there_are(columns: int) -> None:
    row = "\t".join(["w"] * (columns - 1) + ["(1)"])
    assert _mentions(f"#begin document d\n{row}\n#end document\n") == {"1": [(0, 0)]}


def test_a_mention_may_cross_a_sentence_break() -> None:
    text = "#begin document d\nw\t(1\n\n   \nw\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 1)]}}
    assert tokens_by_document(corpus) == {"d": 2}


def test_comments_are_not_tokens() -> None:
    text = "#begin document d\n# sent_id = (1)\nw\t(1\n#\tnote\nw\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 1)]}}
    assert tokens_by_document(corpus) == {"d": 2}


def test_the_word_number_sign_is_a_token() -> None:
    text = "#begin document d\nNo\t(1\n#\t-\n5\t1)\n#end document\n"
    corpus = _read(text)
    assert mentions_by_document(corpus) == {"d": {"1": [(0, 2)]}}
    assert tokens_by_document(corpus) == {"d": 3}


@pytest.mark.parametrize(
    ("begin", "name", "aliases"),
    [
        ("#begin document (x); part 000", "(x); part 000", ("x_0", "x")),
        ("#begin document (x); part 012", "(x); part 012", ("x_12",)),
        ("#begin document (x); part 0", "(x); part 0", ("x_0", "x")),
        ("#begin document (x);", "(x);", ("x",)),
        ("#begin document (x)", "(x)", ("x",)),
        ("# begin document x", "x", ("x",)),
        ("#begin document\tx", "x", ("x",)),
        ("#begin document x y ", "x y", ("x y",)),
        ("#begin document (LuoTestCase); ", "(LuoTestCase);", ("LuoTestCase",)),
        ("#begin document", "", ("",)),
    ],
)
def test_a_begin_line_names_its_document(
    begin: str, name: str, aliases: tuple[str, ...]
) -> None:
    (document,) = _read(f"{begin}\nw\t(1)\n#end document\n").documents
    assert document == (name, aliases)


def test_a_begin_line_ends_the_document_before_it() -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t-\nw\t(1)\n"
    corpus = _read(text)
    expected = {"a": {"1": [(0, 0)]}, "b": {"1": [(1, 1)]}}
    assert mentions_by_document(corpus) == expected


def test_labels_are_local_to_a_document() -> None:
    text = _document("(1)") + _document("(1)").replace("part 000", "part 001")
    expected = {"(d); part 000": {"1": [(0, 0)]}, "(d); part 001": {"1": [(0, 0)]}}
    assert mentions_by_document(_read(text)) == expected


def test_a_document_may_have_no_rows() -> None:
    corpus = _read("#begin document d\n#end document\n")
    assert mentions_by_document(corpus) == {"d": {}}
    assert tokens_by_document(corpus) == {"d": 0}


def test_a_file_without_begin_lines_is_one_document() -> None:
    corpus = _read("w\t(1\nw\t1)\n")
    assert mentions_by_document(corpus) == {"": {"1": [(0, 1)]}}


def test_lines_may_end_in_crlf() -> None:
    text = _document("(1", "-", "", "1)").replace("\n", "\r\n")
    assert mentions_by_document(_read(text)) == {"(d); part 000": {"1": [(0, 3)]}}


def test_the_last_line_needs_no_line_break() -> None:
    assert _mentions("#begin document d\nw\t(1)") == {"1": [(0, 0)]}


def test_a_byte_order_mark_is_skipped() -> None:
    text = "\ufeff" + _document("(1)")
    assert mentions_by_document(_read(text)) == {"(d); part 000": {"1": [(0, 0)]}}


def test_bytes_that_are_not_utf8_are_read() -> None:
    data = b"#begin document d\nn\xe9\t(\xe9)\n#end document\n"
    corpus = conll2012.read(data, source="x.conll")
    assert mentions_by_document(corpus) == {"d": {"\ufffd": [(0, 0)]}}


def test_gzip_is_unpacked_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "packed"
    path.write_bytes(gzip.compress(_document("(1)").encode()))
    corpus = reading.read(path, role="key")
    assert mentions_by_document(corpus) == {"(d); part 000": {"1": [(0, 0)]}}


def test_xz_is_unpacked_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "packed"
    path.write_bytes(lzma.compress(_document("(1)").encode()))
    corpus = reading.read(path, role="key")
    assert mentions_by_document(corpus) == {"(d); part 000": {"1": [(0, 0)]}}


def test_an_archive_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(_document("(1)").encode())[:-9])
    with pytest.raises(FormatError) as caught:
        reading.read(path, role="key")
    assert caught.value.source == str(path)
    assert caught.value.problem.startswith("cannot be unpacked: ")
    assert caught.value.hint == "The file is truncated or damaged. Compress it again."


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.conll"
    with pytest.raises(FormatError) as caught:
        reading.read(path, role="key")
    assert str(caught.value) == (
        f"{path}: cannot be read: no such file or directory\n"
        "  hint: Check the path and its permissions."
    )


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no file to score in this folder"):
        reading.read(tmp_path, role="key")


def test_a_path_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        reading.read("key\0.conll", role="key")


# Columns that are missing or empty


def _mentions_of_rows(*rows: str) -> Mentions:
    text = "\n".join(["#begin document d", *rows, "#end document", ""])
    corpus = conll2012.read(text.encode(), source="x.conll")
    return mentions_by_document(corpus)["d"]


def test_litbank_leaves_the_last_column_empty() -> None:
    rows = (
        "bleak_house\t0\t0\tIn\t_\t_\t",
        "bleak_house\t0\t1\tChancery\t_\t_\t(7)",
        "bleak_house\t0\t2\tthe\t_\t_\t(3",
        "bleak_house\t0\t3\tLord\t_\t_\t",
        "bleak_house\t0\t4\tChancellor\t_\t_\t3)",
    )
    assert _mentions_of_rows(*rows) == {"7": [(1, 1)], "3": [(2, 4)]}


def test_a_word_in_brackets_before_an_empty_column_is_not_a_mention() -> None:
    assert _mentions_of_rows("In\t", "(2008)\t", "London\t(1)") == {"1": [(2, 2)]}


def test_a_word_in_brackets_is_not_a_mention_if_all_columns_are_empty() -> None:
    assert _mentions_of_rows("In\t", "(2008)\t", "London\t") == {}


def test_an_extra_tab_in_all_rows_is_ignored() -> None:
    assert _mentions_of_rows("d\tw\t(1\t", "d\tw\t-\t", "d\tw\t1)\t") == {"1": [(0, 2)]}


def test_an_extra_tab_in_some_rows_is_ignored() -> None:
    assert _mentions_of_rows("d\tw\t(1\t", "d\tw\t-", "d\tw\t1)\t") == {"1": [(0, 2)]}


def test_blanks_at_the_end_of_a_row_are_ignored() -> None:
    assert _mentions_of_rows("d w (1 ", "d w -  ", "d w 1)\t") == {"1": [(0, 2)]}


def test_gum_has_two_columns_and_joined_brackets() -> None:
    rows = ("0\t(12(13", "1\t13)12)", "2\t_", "3\t(12)(13(14)", "4\t13)")
    expected = {"12": [(0, 1), (3, 3)], "13": [(0, 1), (3, 4)], "14": [(3, 3)]}
    assert _mentions_of_rows(*rows) == expected


def test_gum_has_three_columns_and_named_entities() -> None:
    rows = ("1\tIodine\t(substance-1)", "2\tis\t_", "3\tit\t(substance-1)")
    assert _mentions_of_rows(*rows) == {"substance-1": [(0, 0), (2, 2)]}


@pytest.mark.parametrize("mark", ["-", "_", "*"])
def test_a_row_may_hold_a_mark_alone(mark: str) -> None:
    assert _mentions_of_rows("(1", mark, "1)") == {"1": [(0, 2)]}


@pytest.mark.parametrize("word", ["x-", "x_", "x*", "-", "--"])
def test_a_word_that_ends_like_a_mark_is_not_a_cell(word: str) -> None:
    assert _mentions_of_rows(f"d\t{word}\t(1", f"d\t{word}\t1)") == {"1": [(0, 1)]}


# Faults


class Fault(NamedTuple):
    """A text that is refused, how, and what a lenient reading makes of it."""

    text: str
    line: int | None
    problem: str
    shown: str
    span: tuple[int, int] | None
    hint: str
    mentions: dict[str, Mentions]
    note: Note


def _skip_note(kind: str, count: int, *, line: int) -> Note:
    what = kind.replace("-", " ")
    number = "at" if count == 1 else f"{count}, first at"
    return Note(kind, count, f"warning: Skipped: {what} ({number} x.conll:{line}).")


_CELL_HINT = "The last column must be '-' or brackets such as '(3', '3)' or '(3)|4)'."
_HEAD = "#begin document (d); part 000\n"
_NAME = "(d); part 000"

FAULTS = {
    "unopened": Fault(
        text=_HEAD + "d\t0\tPierre\t(1)\nd\t1\tVinken\t1)|(2)\n#end document\n",
        line=3,
        problem="entity 1 is closed here but was never opened",
        shown="d\t1\tVinken\t1)|(2)",
        span=(11, 13),
        hint="Expected '(1' on an earlier token.",
        mentions={_NAME: {"1": [(0, 0)], "2": [(1, 1)]}},
        note=_skip_note("unopened-brackets", 1, line=3),
    ),
    "unclosed": Fault(
        text=_HEAD + "d\t0\tPierre\t(7|(1)\nd\t1\tVinken\t(1)\n#end document\n",
        line=2,
        problem="entity 7 is opened here but never closed in this document",
        shown="d\t0\tPierre\t(7|(1)",
        span=(11, 13),
        hint="Expected '7)' on a later token.",
        mentions={_NAME: {"1": [(0, 0), (1, 1)], "7": []}},
        note=_skip_note("unclosed-brackets", 1, line=2),
    ),
    "unclosed at the end of the file": Fault(
        text="#begin document d\nw\t(7\nw\t(1)\n",
        line=2,
        problem="entity 7 is opened here but never closed in this document",
        shown="w\t(7",
        span=(2, 4),
        hint="Expected '7)' on a later token.",
        mentions={"d": {"7": [], "1": [(1, 1)]}},
        note=_skip_note("unclosed-brackets", 1, line=2),
    ),
    "bad cell": Fault(
        text=_HEAD + "d\t0\tPierre\t(1)\nd\t1\tVinken\t1\n#end document\n",
        line=3,
        problem="'1' is not a coreference annotation",
        shown="d\t1\tVinken\t1",
        span=(11, 12),
        hint=_CELL_HINT,
        mentions={_NAME: {"1": [(0, 0)]}},
        note=_skip_note("unreadable-cells", 1, line=3),
    ),
    "bad cell with a bracket": Fault(
        text="#begin document d\nw\t(1)|2\n#end document\n",
        line=2,
        problem="'(1)|2' is not a coreference annotation",
        shown="w\t(1)|2",
        span=(2, 7),
        hint=_CELL_HINT,
        mentions={"d": {}},
        note=_skip_note("unreadable-cells", 1, line=2),
    ),
    "bracket without a label": Fault(
        text="#begin document d\nw\t()\n#end document\n",
        line=2,
        problem="'()' is not a coreference annotation",
        shown="w\t()",
        span=(2, 4),
        hint=_CELL_HINT,
        mentions={"d": {}},
        note=_skip_note("unreadable-cells", 1, line=2),
    ),
    "corefud": Fault(
        text="# newdoc id = a\n1\tVinken\t_\tEntity=(e1-person)\n",
        line=2,
        problem="'Entity=(e1-person)' is not a coreference annotation",
        shown="1\tVinken\t_\tEntity=(e1-person)",
        span=(11, 29),
        hint="This looks like CorefUD: CoNLL-U with Entity= in its last column.",
        mentions={"": {}},
        note=_skip_note("unreadable-cells", 1, line=2),
    ),
    "not the format": Fault(
        text="It was the best of times,\nit was the worst of times.\n",
        line=1,
        problem="'times,' is not a coreference annotation",
        shown="It was the best of times,",
        span=(19, 25),
        hint="The file has no '#begin document' line either. Is it CoNLL-2012? See "
        "`scoref formats`, or use `scoref llm` for answers of language models.",
        mentions={"": {}},
        note=_skip_note("unreadable-cells", 2, line=1),
    ),
    "rows before the document": Fault(
        text="w\t(1)\n#begin document d\nw\t(1)\n#end document\n",
        line=1,
        problem="this row is outside any document",
        shown="w\t(1)",
        span=None,
        hint="Expected a line '#begin document ...' above it.",
        mentions={"d": {"1": [(0, 0)]}},
        note=_skip_note("rows-outside-documents", 1, line=1),
    ),
    "rows behind the document": Fault(
        text="#begin document d\nw\t(1)\n#end document\nw\t(1)\nw\t-\n",
        line=4,
        problem="this row is outside any document",
        shown="w\t(1)",
        span=None,
        hint="Expected a line '#begin document ...' above it.",
        mentions={"d": {"1": [(0, 0)]}},
        note=_skip_note("rows-outside-documents", 2, line=4),
    ),
    "repeated document": Fault(
        text="#begin document d\nw\t(1)\n#begin document d\nw\t-\nw\t(2)\n",
        line=3,
        problem="document 'd' appears twice (first: line 1)",
        shown="#begin document d",
        span=None,
        hint="Give each document of a file its own name.",
        mentions={"d": {"1": [(0, 0)]}},
        note=_skip_note("repeated-documents", 1, line=3),
    ),
}

every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))


@every_fault
def test_strict_reading_shows_a_fault_with_its_place(fault: Fault) -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(fault.text.encode(), source="x.conll")
    error = caught.value
    assert (error.source, error.line, error.problem) == (
        "x.conll",
        fault.line,
        fault.problem,
    )
    assert (error.text, error.span, error.hint) == (fault.shown, fault.span, fault.hint)


@every_fault
def test_lenient_reading_skips_and_notes_a_fault(fault: Fault) -> None:
    corpus = conll2012.read(fault.text.encode(), source="x.conll", lenient=True)
    assert mentions_by_document(corpus) == fault.mentions
    assert corpus.notes == (fault.note,)


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    "text", ["", "\n", " \n\r\n", "# a comment\n", "#end document\n"]
)
def test_a_file_without_a_document_is_refused(text: str, *, lenient: bool) -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll", lenient=lenient)
    assert str(caught.value) == (
        "x.conll: this file has no document\n"
        "  hint: Expected '#begin document (name); part 000' and one row per token."
    )


def test_the_message_marks_the_place_in_the_line() -> None:
    with pytest.raises(FormatError) as caught:
        conll2012.read(FAULTS["unopened"].text.encode(), source="x.conll")
    assert str(caught.value) == (
        "x.conll:3: entity 1 is closed here but was never opened\n"
        "    d 1 Vinken 1)|(2)\n"
        "               ^^\n"
        "  hint: Expected '(1' on an earlier token."
    )


def test_the_mark_is_under_the_bracket_that_is_to_blame() -> None:
    text = "#begin document d\nw\t(1)|1)\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.span == (6, 8)


def test_the_mark_does_not_stop_inside_a_longer_label() -> None:
    text = "#begin document d\nw\t1)|(21)\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.span == (2, 4)


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "#begin document d\n" + "w" * 200 + "\t1)\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    _, shown, marker, _ = str(caught.value).splitlines()
    assert shown == "    …" + "w" * 72 + " 1)"
    assert marker == "    " + " " * 74 + "^^"


def test_every_kind_of_fault_is_counted_apart() -> None:
    text = "#begin document d\nw\t1)\nw\t2)\nw\tx\nw\t(3\n#end document\n"
    corpus = conll2012.read(text.encode(), source="x.conll", lenient=True)
    assert [(note.kind, note.count) for note in corpus.notes] == [
        ("unopened-brackets", 2),
        ("unreadable-cells", 1),
        ("unclosed-brackets", 1),
    ]


@pytest.mark.parametrize(
    "cell",
    ["(aaa)" * 40 + "((", "x" * 900_000, "(" + "x" * 900_000 + "((", "|" * 900_000],
    ids=["many brackets", "one word", "one label", "bars"],
)
def test_a_long_cell_is_refused_in_few_words(cell: str) -> None:
    text = f"#begin document d\nw\t{cell}\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.problem == f"'{cell[:30]}…' is not a coreference annotation"
    assert caught.value.span == (2, 2 + len(cell))


def test_of_a_long_label_the_beginning_is_shown() -> None:
    text = "#begin document d\nw\t(" + "1" * 200_000 + "\n#end document\n"
    with pytest.raises(FormatError) as caught:
        conll2012.read(text.encode(), source="x.conll")
    assert caught.value.problem == (
        f"entity {'1' * 30}… is opened here but never closed in this document"
    )


def test_thousands_of_faults_of_one_cell_have_a_place_each() -> None:
    cell = "|".join(f"({label}" for label in range(5_000))
    text = f"#begin document d\nw\t{cell}\n#end document\n"
    with record_faults() as heard:
        conll2012.read(text.encode(), source="x.conll", lenient=True)
    marked = {error.text[slice(*(error.span or ()))] for error in heard}
    assert marked == {f"({label}" for label in range(5_000)}
