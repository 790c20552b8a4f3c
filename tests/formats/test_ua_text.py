"""The text of Universal Anaphora: columns, words and zeros, and files refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import FormatError
from scoref.formats import ua_text, universal_anaphora

if TYPE_CHECKING:
    from scoref.model import Corpus

_COLUMNS_HINT = (
    "a line '# global.columns = ID FORM … IDENTITY BRIDGING …' names the columns"
)


def _ua(*words: str) -> str:
    """Write document d of words such as '3.1 (e1:m1)': an id and up to three cells."""
    return "# newdoc id = d\n" + "".join(map(_line, words))


def _line(word: str) -> str:
    text = re.sub(r"\((\w+):(\w+)", r"(EntityID=\1|MarkableID=\2", word)
    number, *cells = text.split(" ")
    return "\t".join([number, "w", *"________", *cells, *"___"[len(cells) :]]) + "\n"


def _read(text: str | bytes, *, lenient: bool = False, deixis: bool = False) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return universal_anaphora.read(data, source="x.ua", lenient=lenient, deixis=deixis)


def _markables(corpus: Corpus) -> tuple[str, ...]:
    assert corpus.anaphora is not None
    return corpus.anaphora.markable


REFUSED = {
    "no word": ("# newdoc id = d\n\n", None, "there is no word in this file"),
    "nothing": ("", None, "there is no word in this file"),
    "plain CoNLL-U": (
        "# newdoc id = d\n1" + "\t_" * 9 + "\n",
        2,
        "this line has 10 columns, and IDENTITY would be column 11",
    ),
    "a short line": (
        _ua("1 (e1:m1)") + "2\tw\t_\n",
        3,
        "this line has 3 columns, and IDENTITY would be column 11",
    ),
    "a line without bridging": (
        _ua("1 (e1:m1)") + "2\tw" + "\t_" * 9 + "\n",
        3,
        "this line has 11 columns, and BRIDGING would be column 12",
    ),
    "a line without tabs": (
        _ua("1 (e1:m1)") + "2 w" + " _" * 11 + "\n",
        3,
        "this line has no tabs between its columns, but the first has",
    ),
    "a line with tabs": (
        _ua("1 (e1:m1)").replace("\t", " ") + _line("2 _"),
        3,
        "this line has tabs between its columns, but the first has blanks",
    ),
    "a header without the column": (
        "# newdoc id = d\n# global.columns = ID FORM BRIDGING\n1\tw\t_\n",
        2,
        "the columns that this line names lack IDENTITY",
    ),
    "a header without ids": (
        "# global.columns = FORM IDENTITY\nw\t_\n",
        1,
        "the columns that this line names lack ID",
    ),
    "two headers": (
        "# global.columns = ID FORM IDENTITY\n1\tw\t_\n\n# global.columns = ID FORM\n",
        4,
        "the columns are not those of the beginning of the file",
    ),
    "one column": ("1\n2\n", 1, "this line has one column"),
    "no number": (
        _ua("1 _", "x _"),
        3,
        "this line has no number of a word in its column ID",
    ),
    "half a number": (
        _ua("1 _", "2. x"),
        3,
        "this line has no number of a word in its column ID",
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


def test_the_hint_for_a_column_that_lacks_names_the_header() -> None:
    text = "# global.columns = ID FORM IDENTITY\n1\tw\t_\n"
    with pytest.raises(FormatError, match="lack DISCOURSE_DEIXIS") as caught:
        _read(text, deixis=True)
    assert caught.value.hint == _COLUMNS_HINT


def test_a_document_of_too_many_words_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ua_text, "LAST_WORD", 2)
    assert _markables(_read(_ua("1 _", "2 (e1:m1)"))) == ("m1",)
    with pytest.raises(FormatError, match="more than 2 words") as caught:
        _read(_ua("1 _", "2 (e1:m1)", "3 _"))
    assert caught.value.line == 4


def test_too_many_zeros_behind_a_word_are_refused() -> None:
    with pytest.raises(FormatError, match="more than 4095 zeros") as caught:
        _read(_ua("1 _", *["1.1 _"] * 4096))
    assert caught.value.line == 4098


_SEED = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
    + _ua(
        *("1 (e1:m1|Min=1,2(e2:m2|ElementOf=e1)", "1.1 (e1:m4)", "1-2 )", "2 (e2:m2"),
        *("3 m2) (MarkableID=m1|Rel=x|MentionAnchor=m2) (e1:m1)", "4 (e3-Pseudo:m5)"),
    )
    + "\n# newdoc\n"
    + _line("1 (e1:m1)")
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
        assert len(_markables(corpus)) == len(corpus.mention_entity)
