"""The fast reader of Universal Anaphora returns the same corpus as `Walk`."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from scoref import FormatError
from scoref.formats import ua_bracket_columns, ua_brackets, universal_anaphora
from scoref.formats.ua_bracket_columns import plain_markables
from scoref.formats.ua_brackets import Markables
from support.ua_files import HEADER, with_keys

if TYPE_CHECKING:
    from scoref.formats.ua_text import NodeText

_NEVER = re.compile("(?!)")


def _line(word: str) -> str:
    """Write a word such as '3.1 (e1:m1)': an id and up to two cells."""
    number, *cells = with_keys(word).split(" ")
    cells += "_" * (2 - len(cells))
    return "\t".join([number, "w", "_", "NOUN", *"______", *cells, *"___"]) + "\n"


def _ua(*words: str, name: str = "d") -> str:
    return f"# newdoc id = {name}\n" + "".join(map(_line, words))


def _walk_all(text: NodeText) -> tuple[Markables, set[int]]:
    return Markables.of([]), set(range(len(text.documents)))


def _flatten(value: object) -> object:
    """Turn a value into one that can be compared, with the types of columns."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    if isinstance(value, tuple):
        return type(value), tuple(map(_flatten, value))
    if isinstance(value, dict):
        return {key: _flatten(item) for key, item in value.items()}
    return type(value), value


def _read(data: bytes, *, lenient: bool = False) -> object:
    """Read a file: all fields of a corpus, or an error."""
    try:
        corpus = universal_anaphora.read(data, source="x.ua", lenient=lenient)
    except FormatError as error:
        return str(error)
    return {
        field.name: _flatten(getattr(corpus, field.name))
        for field in dataclasses.fields(corpus)
    }


def _read_by_walk(
    data: bytes, *, lenient: bool = False, by_tokens: bool = False
) -> object:
    """Read a file with `Walk` alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(universal_anaphora, "plain_markables", _walk_all)
        if by_tokens:
            patch.setattr(ua_brackets, "_PLAIN", _NEVER)
        return _read(data, lenient=lenient)


def _odd_documents(data: bytes) -> list[int]:
    """Return the documents that the fast reader leaves to `Walk`."""
    documents: list[int] = []

    def spy(text: NodeText) -> tuple[Markables, set[int]]:
        plain, odd = plain_markables(text)
        documents.extend(sorted(odd))
        return plain, odd

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(universal_anaphora, "plain_markables", spy)
        _read(data, lenient=True)
    return documents


_LABELS = st.sampled_from(
    ["e1", "e2", "e2-Pseudo", "x-7", "g", "é1", "a_very_long_label", "a_very_long_lab"]
)
_ELEMENTS = ["ElementOf=g", "ElementOf=e1,e2-Pseudo,,no", "ElementOf="]
_EXTRA = st.sampled_from([*[""] * 8, *_ELEMENTS, "SemType=do", "Entity=3", "X", "="])
_ODD_EXTRA = st.sampled_from(
    ["", "Element-of=g", "elementof=e1", "Min", "Min=0", "EntityID=e1", "MarkableID"]
)
_BRIDGES = st.sampled_from(
    [*["_"] * 6, "(MarkableID=m0|Rel=x|MentionAnchor=m1)", "(MarkableID=m1|Rel=y"]
)
_SELDOM = st.sampled_from([False] * 5 + [True])


@st.composite
def _openings(draw: st.DrawFn, *, number: int, words: int, is_odd: bool) -> str:
    """Draw the opening bracket of a markable."""
    first, last = sorted(draw(st.tuples(*[st.integers(1, words)] * 2)))
    minimum = draw(st.sampled_from(["", f"Min={first}", f"Min={first},{last}"]))
    if is_odd and draw(_SELDOM):
        number = draw(st.integers(0, number))
    fields = [f"EntityID={draw(_LABELS)}", f"MarkableID=m{number}", minimum]
    fields.append(draw(_ODD_EXTRA if is_odd and draw(_SELDOM) else _EXTRA))
    return "(" + "|".join(draw(st.permutations(fields)))


@st.composite
def _documents(draw: st.DrawFn, *, is_odd: bool) -> list[str]:
    """Draw words with nested markables; an odd document has anything else as well."""
    words = draw(st.integers(1, 6))
    lines: list[str] = []
    is_open: list[str] = []
    names = 0
    for number in range(1, words + 1):
        cell = ")" * (closed := draw(st.integers(0, len(is_open))))
        del is_open[len(is_open) - closed :]
        if is_odd and is_open and draw(_SELDOM):
            cell += is_open.pop(draw(st.integers(0, len(is_open) - 1))) + ")"
        for _ in range(draw(st.integers(0, 2))):
            cell += draw(_openings(number=names, words=words, is_odd=is_odd))
            if number == words or draw(st.booleans()):
                cell += ")"
            else:
                is_open.append(f"m{names}")
            names += 1
        cell += ")" * (len(is_open) if number == words else 0)
        lines.append(f"{number} {cell or '_'} {draw(_BRIDGES)}")
        if draw(_SELDOM):
            lines.append(f"{number}.1 (e1:m{names})")
            names += 1
    return lines


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    documents = []
    for number in range(draw(st.integers(1, 4))):
        is_odd = draw(st.sampled_from([False, False, True]))
        words = draw(_documents(is_odd=is_odd))
        documents.append(_ua(*words, name=f"d{number}"))
    return (HEADER + "".join(documents)).encode()


_PIECES = st.sampled_from(
    [
        *(b"(", b")", b"|", b"=", b"\t", b"\n", b"\r", b" ", b"_", b"1", b".", b","),
        *(b"\xff", b"\0", b"\x1c", b"\xc2\xa0", b"9" * 20, b"-Pseudo", b"m0)"),
        *(b"|Min=", b"|Element_Of=e1", b"|EntityID", b"# newdoc id = d0\n"),
    ]
)


@given(data=_files())
def test_columns_lead_to_the_same_corpus_as_walking(data: bytes) -> None:
    event(f"odd documents: {len(_odd_documents(data))} of {data.count(b'newdoc')}")
    corpus = _read(data, lenient=True)
    assert corpus == _read_by_walk(data, lenient=True)
    assert corpus == _read_by_walk(data, lenient=True, by_tokens=True)
    assert _read(data) == _read_by_walk(data)


@given(
    data=_files(),
    edits=st.lists(st.tuples(st.integers(0, 999), st.integers(0, 3), _PIECES)),
    lenient=st.booleans(),
)
def test_garbage_leads_to_the_same_corpus_or_error(
    data: bytes, edits: list[tuple[int, int, bytes]], *, lenient: bool
) -> None:
    for place, length, piece in edits:
        at = len(HEADER) + place
        data = data[:at] + piece + data[at + length :]
    assert _read(data, lenient=lenient) == _read_by_walk(data, lenient=lenient)


PLAIN = {
    "nothing": ("1", "2"),
    "nested": ("1 (e1:m1(e2:m2)(e3:m3", "2 ))(e1:m4", "3 )"),
    "a zero": ("1 (e1:m1)", "1.1 (e1:m2)(e2:m3)"),
    "Min": ("1 (e1:m1|Min=1)", "2 (e1:m2|Min=1,02)"),
    "Pseudo": ("1 (e1-Pseudo:m1)(e1:m2)", "2 (e-Pseudo-Pseudo:m3)"),
    "other keys": ("1 (e1:m1|SemType=do||=|EntityIDs=1|Element=2|Mina=3)",),
    "another order": ("1 (ElementOf=e1|Min=1|MarkableID=m1|EntityID=e1)",),
    "not ASCII": ("1 (é1:m1|ElementOf=é1)", "2 (名前:マーク)"),
}


@pytest.mark.parametrize("words", PLAIN.values(), ids=PLAIN)
def test_a_plain_document_is_read_in_columns(words: tuple[str, ...]) -> None:
    data = (HEADER + _ua(*words)).encode()
    assert _odd_documents(data) == []
    assert isinstance(_read(data), dict)
    assert _read(data) == _read_by_walk(data)


ODD = {
    "a closing with a name": ("1 (e1:m1", "2 m1)"),
    "another part": ("1 (e1:m1)", "2", "3 (e1:m1)"),
    "a blank in a cell": ("1 (e1:m1)\N{NO-BREAK SPACE}",),
    "text between brackets": ("1 (e1:m1)x(e2:m2)",),
    "a bar between brackets": ("1 (e1:m1)|(e2:m2)",),
    "no bracket": ("1 x",),
    "no entity": ("1 (MarkableID=m1)",),
    "an empty entity": ("1 (EntityID=|MarkableID=m1)",),
    "only Pseudo": ("1 (-Pseudo:m1)",),
    "two entities": ("1 (e1:m1|EntityID=e2)",),
    "an entity without a value": ("1 (e1:m1|EntityID)",),
    "no markable": ("1 (EntityID=e1)",),
    "two of Min": ("1 (e1:m1|Min=1|Min=1)",),
    "Min without a value": ("1 (e1:m1|Min=1|Min)",),
    "Min is no number": ("1 (e1:m1|Min=1x)",),
    "Min beyond the document": ("1 (e1:m1|Min=1,2)",),
    "Min from behind": ("1 (e1:m1|Min=2,1)", "2"),
    "Min with many digits": ("1 (e1:m1|Min=0000000001)",),
    "another spelling of ElementOf": ("1 (e1:m1|Element-Of=e1)",),
    "ElementOf without a value": ("1 (e1:m1|ElementOf)",),
    "opened on a zero": ("1 (e1:m1)", "1.1 (e1:m2", "2 )"),
    "closed on a zero": ("1 (e1:m1", "1.1 )", "2 )"),
    "never closed": ("1 (e1:m1",),
    "never opened": ("1 )",),
}


@pytest.mark.parametrize("words", ODD.values(), ids=ODD)
def test_any_other_document_is_walked_through_but_its_neighbours_are_not(
    words: tuple[str, ...],
) -> None:
    first = _ua("1 (e1:m1|ElementOf=g)(g:m2) (MarkableID=m1|MentionAnchor=m2)")
    last = _ua("1 (e2:m1", "2 )(e1:m2|ElementOf=no)", name="f")
    data = (HEADER + first + _ua(*words, name="e") + last).encode()
    assert _odd_documents(data) == [1]
    assert _read(data, lenient=True) == _read_by_walk(data, lenient=True)
    assert _read(data) == _read_by_walk(data)


def test_bytes_that_are_not_utf8_are_left_to_the_walk() -> None:
    data = (HEADER + _ua("1 (e1:m1)") + _ua("1 (é:m1)", name="e")).encode()
    data = data.replace("é".encode(), b"\xff")
    assert _odd_documents(data) == [1]
    assert _read(data) == _read_by_walk(data)


@pytest.mark.parametrize(
    "words", [("1 (e1:m1)",), ("1 (e1:m1(e2:m2", "2 ))(e1:m3)")], ids=["one", "many"]
)
def test_names_with_the_same_hash_are_distinguished(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (HEADER + _ua(*words) + _ua(*words, name="e")).encode()
    expected = _read(data)
    monkeypatch.setattr(ua_bracket_columns, "_FACTOR", np.uint64(0))
    assert _odd_documents(data)
    assert _read(data) == expected
