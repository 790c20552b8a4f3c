"""The text of Universal Anaphora: columns, words and zeros, and files refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import FormatError
from scoref.formats import ua_text, universal_anaphora
from scoref.formats.builder import Faults
from scoref.formats.ua_text import (
    columns_of,
    has_tabs,
    headers,
    read_text,
    with_tabs,
)
from scoref.model import packed_text
from support.ua_files import anaphora_of, document, row

if TYPE_CHECKING:
    from scoref.model import Corpus

_COLUMNS_HINT = "Expected a line '# global.columns = ID FORM … IDENTITY BRIDGING …'."


def _read(text: str | bytes, *, lenient: bool = False, deixis: bool = False) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return universal_anaphora.read(data, source="x.ua", lenient=lenient, deixis=deixis)


HEADER = b"# global.columns = ID FORM UPOS IDENTITY BRIDGING DISCOURSE_DEIXIS\n"


def test_a_line_names_the_columns() -> None:
    columns = columns_of(HEADER + b"1\tw\t_\t_\t_\t_\n", source="x", deixis=False)
    assert columns.needed == 5
    assert columns == (0, 1, 2, 3, 4, "IDENTITY")
    deixis = columns_of(HEADER, source="x", deixis=True)
    assert (deixis.layer, deixis.bridging, deixis.layer_name) == (
        5,
        None,
        "DISCOURSE_DEIXIS",
    )


def test_without_such_a_line_the_columns_have_their_usual_places() -> None:
    columns = columns_of(b"1" + b"\t_" * 11 + b"\n", source="x", deixis=False)
    assert (columns.layer, columns.bridging) == (10, 11)
    columns = columns_of(b"1" + b"\t_" * 10 + b"\n", source="x", deixis=False)
    assert (columns.layer, columns.bridging) == (10, None)


def test_headers_have_their_places_and_names_in_capitals() -> None:
    data = b"# x\n#global.columns=id form\n# not global.columns = ID\n"
    assert headers(data) == [(4, 27, ("ID", "FORM"))]


def test_blanks_between_columns_become_tabs() -> None:
    data = b"# a comment\n1 w  _\n\n2 w _ \n"
    assert not has_tabs(data)
    assert with_tabs(data, "x") == b"# a comment\n1\tw\t_\n\n2\tw\t_\n"
    assert has_tabs(b"# a b\n1\tw w\n")


def test_nodes_are_sorted_by_document_and_only_cells_with_text_are_kept() -> None:
    rows = [b"1\tAda\tNOUN\t(a\t_\t_", b"1.1\t_\tPRON\t_\t\t_"]
    rows += [b"# newdoc id = e", b"1\tBo\tX\t_\t_\t_"]
    rows += [b"# newdoc id = d", b"1\tran\tVERB\t)\t(b)\t_"]
    data = HEADER + b"# newdoc id = d\n" + b"\n".join(rows) + b"\n"
    columns = columns_of(data, source="x", deixis=False)
    text = read_text(data, columns, "x", Faults("x", lenient=True))
    assert [name.name for name in text.documents] == ["d", "e"]
    assert text.document_tokens.tolist() == [2, 1]
    assert text.rows.line.tolist() == [3, 4, 8, 6]
    places = [(code >> 32, code >> 12 & 15, code & 15) for code in text.code.tolist()]
    assert places == [(0, 1, 0), (0, 1, 1), (0, 2, 0), (1, 1, 0)]
    assert text.rows.layer.node.tolist() == [0, 2]
    assert text.rows.layer.text.strings() == ["(a\n", ")\n"]
    assert text.rows.upos.tolist() == [packed_text("NOUN"), packed_text("VERB")]
    assert text.rows.bridging.node.tolist() == [2]


REFUSED = {
    "no word": ("# newdoc id = d\n\n", None, "this file has no word"),
    "nothing": ("", None, "this file has no word"),
    "plain CoNLL-U": (
        "# newdoc id = d\n1" + "\t_" * 9 + "\n",
        2,
        "this line has 10 columns, but IDENTITY is column 11",
    ),
    "a short line": (
        document("1 (e1:m1)") + "2\tw\t_\n",
        3,
        "this line has 3 columns, but IDENTITY is column 11",
    ),
    "a line without bridging": (
        document("1 (e1:m1)") + "2\tw" + "\t_" * 9 + "\n",
        3,
        "this line has 11 columns, but BRIDGING is column 12",
    ),
    "a line without tabs": (
        document("1 (e1:m1)") + "2 w" + " _" * 11 + "\n",
        3,
        "this line has no tabs between its columns, but the first line has",
    ),
    "a line with tabs": (
        document("1 (e1:m1)").replace("\t", " ") + row("2 _"),
        3,
        "this line has tabs between its columns, but the first line has spaces",
    ),
    "a header without the column": (
        "# newdoc id = d\n# global.columns = ID FORM BRIDGING\n1\tw\t_\n",
        2,
        "this line does not name the column IDENTITY",
    ),
    "a header without ids": (
        "# global.columns = FORM IDENTITY\nw\t_\n",
        1,
        "this line does not name the column ID",
    ),
    "two headers": (
        "# global.columns = ID FORM IDENTITY\n1\tw\t_\n\n# global.columns = ID FORM\n",
        4,
        "these columns differ from those at the beginning of the file",
    ),
    "one column": ("1\n2\n", 1, "this line has one column"),
    "no number": (
        document("1 _", "x _"),
        3,
        "this line has no word number in its column ID",
    ),
    "half a number": (
        document("1 _", "2. x"),
        3,
        "this line has no word number in its column ID",
    ),
}


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(("text", "line", "problem"), REFUSED.values(), ids=REFUSED)
def test_other_files_are_refused(
    text: str, line: int | None, problem: str, *, lenient: bool
) -> None:
    with pytest.raises(FormatError) as caught:
        _read(text, lenient=lenient)
    error = caught.value
    assert (error.source, error.line, error.problem) == ("x.ua", line, problem)
    assert error.hint


def test_the_hint_for_a_missing_column_names_the_header() -> None:
    text = "# global.columns = ID FORM IDENTITY\n1\tw\t_\n"
    with pytest.raises(
        FormatError, match="does not name the column DISCOURSE_DEIXIS"
    ) as caught:
        _read(text, deixis=True)
    assert caught.value.hint == _COLUMNS_HINT
    assert caught.value.text == "# global.columns = ID FORM IDENTITY"


def test_a_document_of_too_many_words_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ua_text, "LAST_WORD", 2)
    assert anaphora_of(_read(document("1 _", "2 (e1:m1)"))).markable == ("m1",)
    with pytest.raises(FormatError, match="more than 2 words") as caught:
        _read(document("1 _", "2 (e1:m1)", "3 _"))
    assert caught.value.line == 4


def test_too_many_zeros_after_a_word_are_refused() -> None:
    with pytest.raises(FormatError, match="more than 4095 zeros") as caught:
        _read(document("1 _", *["1.1 _"] * 4096))
    assert caught.value.line == 4098


_SEED = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
    + document(
        *("1 (e1:m1|Min=1,2(e2:m2|ElementOf=e1)", "1.1 (e1:m4)", "1-2 )", "2 (e2:m2"),
        *("3 m2) (MarkableID=m1|Rel=x|MentionAnchor=m2) (e1:m1)", "4 (e3-Pseudo:m5)"),
    )
    + "\n# newdoc\n"
    + row("1 (e1:m1)")
).encode()
_PIECES = st.sampled_from(
    [
        *(
            b"",
            b"(",
            b")",
            b"|",
            b"=",
            b"\t",
            b"\n",
            b"\r",
            b" ",
            b"#",
            b"_",
            b"1",
            b".",
        ),
        *(
            b"-",
            b"\xff",
            b"\0",
            b"MarkableID=m1",
            b"EntityID=",
            b"9" * 30,
            b"Min=",
            b",",
        ),
        *(b"# newdoc id = d\n", b"# global.columns = ID FORM IDENTITY\n", b"\xc2\xa0"),
    ]
)


@given(
    edits=st.lists(
        st.tuples(st.integers(0, len(_SEED)), st.integers(0, 12), _PIECES), max_size=5
    ),
    lenient=st.booleans(),
    deixis=st.booleans(),
)
def test_garbage_is_refused_or_read_but_never_a_traceback(
    edits: list[tuple[int, int, bytes]], *, lenient: bool, deixis: bool
) -> None:
    data = _SEED
    for place, length, piece in edits:
        data = data[:place] + piece + data[place + length :]
    try:
        corpus = _read(data, lenient=lenient, deixis=deixis)
    except FormatError as error:
        assert error.problem  # noqa: PT017 - either this or a corpus
    else:
        assert len(anaphora_of(corpus).markable) == len(corpus.mention_entity)
